#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/variations.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/recording.hpp"
#include "harness/results/expectation.hpp"
#include "harness/results/result.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::evidence {
struct Evidence;
}

namespace splitproof::campaign {

/// What became of one testee.
struct TargetResult {
  std::string target;
  std::size_t cases = 0;
  std::size_t called = 0;     ///< of these: it called its upstream, as far as that is seen
  std::size_t broken = 0;     ///< of these: it crashed, hung or sent garbage
  std::size_t unclaimed = 0;  ///< recordings that were not run since it does not claim to do them
  std::string unavailable;    ///< why its campaign ended early; empty: it did not
  std::size_t undone = 0;     ///< recordings that were not finished because of that
  std::size_t unrun =
      0;  ///< recordings that were not run since it had fallen silent for good (dead_target.hpp)

  /// It was run, gave answers, and never asked its upstream for anything: it was not set up to do so.
  bool never_called() const { return cases > broken && called == 0; }

  bool operator==(const TargetResult&) const = default;
};

/// How fast one testee was.
struct Pace {
  double seconds = 0;       ///< from the beginning of its first recording to the end of its last one
  double busy = 0;          ///< the seconds of all recordings, those that were in flight at once counted each
  std::size_t at_once = 0;  ///< recordings in flight at most

  double in_flight() const { return seconds > 0 ? busy / seconds : 0; }
};

/// What a campaign found out.
struct Results {
  std::vector<results::RecordingResult> recordings;  ///< testees in order, recordings in order within them
  std::vector<TargetResult> targets;                 ///< in the order of the testees
  std::vector<Pace> paces;                           ///< likewise
  std::size_t planned =
      0;  ///< cases that there are in all shares; some recuts and second turns of what was not run may be none
  bool cut_short = false;  ///< `stop` said true before all was run
  std::size_t unreached =
      0;  ///< recordings of which nothing was run because of that, counted for each testee
};

/// What a campaign is to do.
struct CampaignSettings {
  std::vector<const testee::Testee*> testees;
  std::vector<const recording::Recording*> recordings;

  /// The one of a result.
  const recording::Recording& recording(const results::Recorded& recorded) const;

  const contract::Contracts* contracts = nullptr;
  contract::Profile profile;
  Trials trials;
  std::string only;  ///< glob over recording and case ids, also as findings name them; empty: everything
  std::vector<results::Expectation> expectations;  ///< violations that they expect decide nothing
  unsigned jobs = 1;

  /// Each recording is put through the first share, then each through the second. Their ranks go up, and no share is empty.
  std::vector<Share> shares = {Share()};
  Share whole_share() const { return {shares.front().begin, shares.back().end}; }

  bool fail_fast = false;  ///< end with the first recording that has a finding which decides
  bool strict = false;     ///< `should` decides too

  /// Gets once what was seen of each recording in each round, every different outcome of its whole shares once; empty:
  /// nobody wants it. Called from worker threads.
  std::function<void(const evidence::Evidence&, Round)> keep = {};

  /// Gets each recording's result once it has ended, and with several shares after each of them. One at a time, from worker
  /// threads; empty: nobody wants it.
  std::function<void(const results::RecordingResult&)> on_result = {};
};

/// How far a campaign is, for a person who waits.
struct CampaignProgress {
  std::size_t done =
      0;  ///< recordings, counted for each testee, and again for the statuses of their upstream
  std::size_t total = 0;
  std::size_t cases = 0;
  std::size_t planned = 0;  ///< cases; see Results
  std::size_t findings = 0;
  std::size_t begun =
      0;  ///< of `total`: something of them was tried; with several shares long before they are done
};

/// Runs every split of every recording that a testee's upstream protocol fits and that it claims to do, in parallel: on
/// `jobs` threads, with no more than `max_concurrency` exchanges of a testee in flight. The upstream's own statuses come after
/// all else of a testee. The result is the same whatever `jobs` is. `on_progress` is called from worker threads, one at
/// a time, whenever a recording has ended and some times a second. `stop` is asked before every case, from any of them; once it says true, the recordings finished so far are
/// returned, with those that were begun.
Results run(const CampaignSettings& settings, const std::function<void(const CampaignProgress&)>& on_progress,
            const std::function<bool()>& stop);

}  // namespace splitproof::campaign
