#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Another testee, of which nobody sees a secret: all that it says is masked (credentials.hpp) before anything is judged,
/// printed or written.
class MaskingTestee final : public Testee {
 public:
  /// `secrets`, the longest first, are masked beside the credentials of each exchange's own calls.
  MaskingTestee(std::unique_ptr<Testee> testee, std::vector<std::string> secrets)
      : testee_(std::move(testee)), secrets_(std::move(secrets)) {}

  std::string name() const override { return testee_->name(); }
  std::string client() const override { return testee_->client(); }
  std::string upstream() const override { return testee_->upstream(); }
  bool over_http() const override { return testee_->over_http(); }
  bool outside() const override { return testee_->outside(); }
  bool is_started_here() const override { return testee_->is_started_here(); }
  std::size_t max_concurrency() const override { return testee_->max_concurrency(); }
  std::string model() const override { return testee_->model(); }
  const std::vector<std::string>& cannot() const override { return testee_->cannot(); }

  Result<void> start() override;
  std::string remark() const override;
  std::vector<Mishap> mishaps() const override;
  std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& trial) const override;
  void start_over() const override { testee_->start_over(); }
  Observation asks(const recording::Recording& recording) const override;
  Observation observe(const Exchange& exchange) const override;

 private:
  const std::unique_ptr<Testee> testee_;
  const std::vector<std::string> secrets_;
};

}  // namespace splitproof::testee
