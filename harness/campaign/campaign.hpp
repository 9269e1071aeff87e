#pragma once

#include <chrono>
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
#include "harness/contract/clients.hpp"
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

/// Counts for one testee.
struct TargetResult {
  std::string target;
  std::size_t cases = 0;
  std::size_t called = 0;     ///< Cases in which it observably called its upstream.
  std::size_t broken = 0;     ///< Cases with a crash, hang or garbage.
  std::size_t unclaimed = 0;  ///< Recordings outside its claims, which were not run.
  std::string unavailable;    ///< Reason why its campaign ended early; empty: it did not.
  std::size_t undone = 0;     ///< Unfinished recordings because of that.
  std::size_t unrun = 0;  ///< Recordings that were not run, because it stopped answering (dead_target.hpp).

  /// True if it ran and answered without ever calling its upstream. It is misconfigured.
  bool never_called() const { return cases > broken && called == 0; }

  bool operator==(const TargetResult&) const = default;
};

/// Throughput of one testee.
struct Pace {
  double seconds = 0;       ///< From the start of its first recording to the end of its last.
  double busy = 0;          ///< Sum over all recordings, including concurrent ones.
  std::size_t at_once = 0;  ///< Maximum number of concurrent recordings.

  double in_flight() const { return seconds > 0 ? busy / seconds : 0; }
};

/// Results of a campaign.
struct Results {
  std::vector<results::RecordingResult> recordings;  ///< By testee, then by recording.
  std::vector<TargetResult> targets;                 ///< In the order of the testees.
  std::vector<Pace> paces;                           ///< In the order of the testees.
  std::size_t planned = 0;  ///< Cases of all shares; counts recuts and second turns that may not apply.
  bool cut_short = false;   ///< `stop` or `most_cases` ended the campaign early.
  /// Recordings not run because of that, counted for each testee. The first shard counts those beyond
  /// `most_cases`.
  std::size_t unreached = 0;
  /// The largest `most_cases` with which the jobs of this campaign that ended are all jobs of each testee.
  std::size_t repeatable = 0;
};

/// A shard of a campaign; see shard::ranges_of_shard.
struct ShardOf {
  std::size_t number = 0;  ///< From 0.
  std::size_t count = 1;
};

/// Settings of a campaign.
struct CampaignSettings {
  std::vector<const testee::Testee*> testees;
  std::vector<const recording::Recording*> recordings;

  /// Returns the recording of a result.
  const recording::Recording& recording(const results::Recorded& recorded) const;

  const contract::Contracts* contracts = nullptr;

  /// Advice decides if it breaks one of these (client_breaks.hpp). nullptr: advice never decides.
  const contract::Clients* clients = nullptr;
  contract::Profile profile;
  Trials trials;
  std::string only;  ///< Glob over recording and case ids, also as in findings; empty: everything.
  std::vector<results::Expectation> expectations;  ///< Violations that they accept decide nothing.
  unsigned jobs = 1;

  /// All recordings run the first share, then all run the second. Ranks ascend, and no share is empty.
  std::vector<Share> shares = {Share()};
  Share whole_share() const { return {shares.front().begin, shares.back().end}; }

  /// Runs at most so many cases of each testee: those of the first jobs, in the order of the shares. Which ones does not
  /// depend on the time. Counts as `planned` does.
  std::optional<std::size_t> most_cases = {};

  /// Time for trials of each testee's upstream connections, before its cases. A trial that runs is not broken off.
  std::chrono::milliseconds time_for_acts = std::chrono::hours(24);

  bool fail_fast = false;  ///< Stop after the first recording with a deciding finding.
  bool strict = false;     ///< `should` decides too.

  /// Receives the evidence of each recording and round once, with every different outcome of its complete
  /// shares. Called from worker threads; may be empty.
  std::function<void(const evidence::Evidence&, Round)> keep = {};

  /// Runs only one shard of the campaign; nullopt: everything. With several shares no recording is divided.
  std::optional<ShardOf> shard = {};

  /// Parts of recordings that an earlier run of the same campaign finished. They do not run again.
  std::vector<results::RecordingResult> done = {};

  /// Receives each part of a recording's result once: at the end of each share, and earlier if a share takes
  /// long. Called by one worker thread at a time; may be empty.
  std::function<void(const results::RecordingResult&)> on_part = {};
};

/// Progress of a campaign, for display.
struct CampaignProgress {
  /// Recordings, counted for each testee and again for the statuses of their upstream.
  std::size_t done = 0;
  std::size_t total = 0;
  std::size_t cases = 0;
  std::size_t planned = 0;  ///< Cases; see Results.
  std::size_t findings = 0;
  std::size_t begun = 0;  ///< Started ones of `total`; with several shares they start long before they end.
};

/// Runs every case of every recording that matches a testee's upstream protocol and claims. Uses `jobs`
/// threads and at most `max_concurrency` exchanges per testee at once. Cases with error statuses of the
/// upstream run last for each testee. The result does not depend on `jobs`. `on_progress` is called by one
/// worker thread at a time, after every recording and several times a second. `stop` is called before every
/// case, by any thread. After it returns true, the results of finished and started recordings are returned.
Results run(const CampaignSettings& settings, const std::function<void(const CampaignProgress&)>& on_progress,
            const std::function<bool()>& stop);

}  // namespace splitproof::campaign
