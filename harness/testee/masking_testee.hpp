#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Wraps a testee and masks all its secrets (credentials.hpp) before anything is judged, printed or written.
class MaskingTestee final : public Testee {
 public:
  /// Masks `secrets`, longest first, in addition to the credentials of each exchange's own calls.
  MaskingTestee(std::unique_ptr<Testee> testee, std::vector<std::string> secrets)
      : Testee(testee->traits()), testee_(std::move(testee)), secrets_(std::move(secrets)) {}

  bool refuses(const recording::Recording& recording) const override { return testee_->refuses(recording); }
  Result<void> start() override;
  std::string version() const override;
  std::string remark() const override;
  std::vector<UnattributedFailure> mishaps() const override;
  std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& trial) const override;
  void start_over() const override { testee_->start_over(); }
  void limit_hangs(std::chrono::milliseconds total) override { testee_->limit_hangs(total); }
  coverage::Coverage* coverage() const override { return testee_->coverage(); }

  /// With secrets it is nullptr, because copies are not masked.
  const Copyable* copyable() const override { return secrets_.empty() ? testee_->copyable() : nullptr; }
  Observation asks(const recording::Recording& recording) const override;
  Observation observe(const Exchange& exchange) const override;

 private:
  const std::unique_ptr<Testee> testee_;
  const std::vector<std::string> secrets_;
};

}  // namespace splitproof::testee
