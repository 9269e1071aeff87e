#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/coverage/coverage.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::coverage {

/// A testee with coverage. Everything else is the wrapped testee's. Places that the program reaches while it starts do not
/// count for the first case.
class CoveredTestee final : public testee::Testee {
 public:
  CoveredTestee(std::unique_ptr<testee::Testee> testee, std::shared_ptr<Coverage> coverage)
      : Testee(testee->traits()), coverage_(std::move(coverage)), testee_(std::move(testee)) {}

  Coverage* coverage() const override { return coverage_.get(); }
  const testee::Copyable* copyable() const override { return testee_->copyable(); }
  bool refuses(const recording::Recording& recording) const override { return testee_->refuses(recording); }
  Result<void> start() override;
  std::string version() const override { return testee_->version(); }
  std::string remark() const override { return testee_->remark(); }
  std::vector<testee::UnattributedFailure> mishaps() const override { return testee_->mishaps(); }
  std::shared_ptr<const testee::TrialEvidence> try_connections(
      const testee::ConnectionTrial& trial) const override {
    return testee_->try_connections(trial);
  }
  void start_over() const override { testee_->start_over(); }
  void limit_hangs(std::chrono::milliseconds total) override { testee_->limit_hangs(total); }
  testee::Observation asks(const recording::Recording& recording) const override {
    return testee_->asks(recording);
  }
  testee::Observation observe(const testee::Exchange& exchange) const override {
    return testee_->observe(exchange);
  }

 private:
  const std::shared_ptr<Coverage> coverage_;  // outlives the program
  const std::unique_ptr<testee::Testee> testee_;
};

}  // namespace splitproof::coverage
