#pragma once

#include <functional>

#include "harness/campaign/judge.hpp"

namespace splitproof::campaign {

/// Returns the testee's observation for an upstream with the chunks of its events, from the testee or from
/// evidence.
using AsArrived = std::function<testee::Observation(const Upstream&)>;

/// Runs the testee. The references must outlive the result.
AsArrived asked_of(const testee::Testee& testee, const recording::Recording& recording);

/// Makes the baselines for the cases of one recording.
class Baselines {
 public:
  /// Observes the recorded body with its original chunks, and in one piece if that fails. The judge must
  /// outlive it.
  Baselines(const Judge& judge, AsArrived as_arrived);
  Baselines(const Baselines&) = delete;  // baselines point into it
  Baselines& operator=(const Baselines&) = delete;

  /// Returns the observation for the recorded body with its original chunks.
  const testee::Observation& recorded() const { return recorded_; }

  /// Returns the baseline of a body. Runs it unless it has a fault or is the recorded body. The result must
  /// not outlive this.
  Baseline of(const UpstreamReading& reading, const Upstream& as_arrived) const;

 private:
  const Judge& judge_;
  const AsArrived as_arrived_;
  const testee::Observation recorded_;
  KnownMessage known_;
};

}  // namespace splitproof::campaign
