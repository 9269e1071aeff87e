#pragma once

#include <cstddef>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/dead_target.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Runs one testee on the exchanges of one recording, and counts the exchanges that hang. It judges nothing.
class Runner {
 public:
  /// The references must outlive the runner.
  Runner(const testee::Testee& testee, const recording::Recording& recording)
      : testee_(&testee), recording_(recording), asks_(testee.asks(recording)) {}

  /// Runs further exchanges on this instance of the testee, which must outlive them.
  void use(const testee::Testee& instance) { testee_ = &instance; }

  /// Observes a body that arrives in the chunks of its events. The exchange does not count as a case. `one` names it.
  testee::Observation as_arrived(const Case& one, const Upstream& upstream);

  /// True if the next case like this is skipped, because others of its kind hung. Call it once for each case.
  bool leaves_out(const Case& one);

  testee::Observation run(const Case& one, testee::Exchange exchange);

  /// Reason why the testee was lost; empty if it was not.
  const std::string& lost() const { return lost_; }

  /// True if the allowed number of exchanges hung and none was answered.
  bool is_silent() const { return hung_ >= kMostHangs && answered_ == 0; }

 private:
  testee::Observation observe(const testee::Exchange& exchange);

  const testee::Testee* testee_;
  const recording::Recording& recording_;
  const testee::Observation asks_;
  HangBackoff hangs_;
  std::size_t hung_ = 0;
  std::size_t answered_ = 0;
  std::string lost_;
};

}  // namespace splitproof::campaign
