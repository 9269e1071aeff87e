#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Several instances of one target, each with its own port, home and stand-in:
///
///     worker ---> instance 1 ---> stand-in 1
///     worker ---> instance 2 ---> stand-in 2
///
/// A target that takes one request at a time is so tested with several at once. No request of one instance can reach the
/// stand-in of another. Each instance is restarted on its own.
class Instances final : public Testee {
 public:
  /// Makes `count` instances, at least one. They must be alike.
  Instances(std::size_t count, const std::function<std::unique_ptr<Testee>()>& make);

  /// Ends all instances at the same time.
  ~Instances() override;

  /// Starts the first instance, which installs the target, and then all others at the same time. The Error names the
  /// instance.
  Result<void> start() override;

  bool refuses(const recording::Recording& recording) const override;
  std::string version() const override;

  /// Reports the number of instances, and the remarks of those that differ from the first.
  std::string remark() const override;

  /// Instance by instance.
  std::vector<UnattributedFailure> mishaps() const override;

  Observation asks(const recording::Recording& recording) const override;

  /// Uses the first instance.
  std::shared_ptr<const TrialEvidence> try_connections(const ConnectionTrial& trial) const override;
  void start_over() const override;

  /// The limit holds for each instance, because they hang at the same time.
  void limit_hangs(std::chrono::milliseconds total) override;

  const Copyable* copyable() const override { return instances_.front()->copyable(); }

  /// Returns the instance with the most free places.
  const Testee& claim() const override;
  void release(const Testee& instance) const override;

  /// Uses the instance with the most free places.
  Observation observe(const Exchange& exchange) const override;

 private:
  std::vector<std::unique_ptr<Testee>> instances_;
  mutable std::mutex mutex_;
  mutable std::vector<std::size_t> claims_;  // guarded by mutex_; by instance
};

}  // namespace splitproof::testee
