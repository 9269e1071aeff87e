#pragma once

#include <cstddef>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/dead_target.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Puts one testee through the exchanges of one recording, and keeps count of those that hang. It judges nothing.
class Runner {
 public:
  /// The references must outlive the runner.
  Runner(const testee::Testee& testee, const recording::Recording& recording)
      : testee_(testee), recording_(recording), asks_(testee.asks(recording)) {}

  /// What the testee makes of a body as its events arrive. That is no case; it goes by the name of `one`.
  testee::Observation as_arrived(const Case& one, const Upstream& upstream);

  /// Whether the next case like this one is left out, since others of its kind hung. To be asked once for each.
  bool leaves_out(const Case& one);

  testee::Observation run(const Case& one, testee::Exchange exchange);

  /// Why the testee was lost; empty: it was not.
  const std::string& lost() const { return lost_; }

  /// Whether so many exchanges as may hang did, and none did not.
  bool is_silent() const { return hung_ >= kMostHangs && answered_ == 0; }

 private:
  testee::Observation observe(const testee::Exchange& exchange);

  const testee::Testee& testee_;
  const recording::Recording& recording_;
  const testee::Observation asks_;
  HangBackoff hangs_;
  std::size_t hung_ = 0;
  std::size_t answered_ = 0;
  std::string lost_;
};

}  // namespace splitproof::campaign
