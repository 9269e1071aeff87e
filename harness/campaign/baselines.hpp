#pragma once

#include <functional>

#include "harness/campaign/judge.hpp"

namespace splitproof::campaign {

/// What a testee makes of an upstream as its events arrive: asked of the testee, or looked up where it was seen.
using AsArrived = std::function<testee::Observation(const Upstream&)>;

/// Asks the testee. The references must outlive what it returns.
AsArrived asked_of(const testee::Testee& testee, const recording::Recording& recording);

/// Makes what the cases of one recording are compared with.
class Baselines {
 public:
  /// Asks for the recorded body as it arrived, and in one piece where that came out wrong. The judge must outlive it.
  Baselines(const Judge& judge, AsArrived as_arrived);
  Baselines(const Baselines&) = delete;  // baselines point into it
  Baselines& operator=(const Baselines&) = delete;

  /// What the testee made of the recorded body as it arrived.
  const testee::Observation& recorded() const { return recorded_; }

  /// The baseline of a body, which is asked for unless it has a fault or is the recorded one. Must not outlive this.
  Baseline of(const UpstreamReading& reading, const Upstream& as_arrived) const;

 private:
  const Judge& judge_;
  const AsArrived as_arrived_;
  const testee::Observation recorded_;
  KnownMessage known_;
};

}  // namespace splitproof::campaign
