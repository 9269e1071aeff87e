#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/clients.hpp"
#include "harness/results/growth.hpp"
#include "harness/results/plan.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"
#include "harness/results/run_details.hpp"

namespace splitproof::results {

/// The context of a campaign in every report.
struct RunHeading {
  std::map<std::string, std::string> contracts;  ///< Digests, by file name.
  std::vector<std::string> targets;
  std::map<std::string, std::string> files;  ///< Path of the target file, by target name.
  /// Path of the target file below the root of the tested source, by name.
  std::map<std::string, std::string> places;
  std::vector<std::string> corpora;  ///< Names for people.
  std::string profile;
  std::string options;  ///< Options of a reproducer, besides case and target: " --profile strict".
  std::string trials;   ///< Further options of a reproducer that is a whole run: " --splits 0 --faults".
  std::uint64_t seed = 0;
  RunDetails details;
  bool strict = false;
  std::size_t unreadable = 0;   ///< Recordings that could not be loaded.
  std::size_t untargeted = 0;   ///< Recordings whose protocol no target reads.
  std::size_t unclaimed = 0;    ///< Recordings outside a target's claims, counted for each target.
  std::size_t unavailable = 0;  ///< Targets that failed during the run or never called their upstream.
  std::map<std::string, std::string> notes;     ///< Notes on the test of a target, by its name.
  std::map<std::string, std::string> untested;  ///< Reason why a target was not run to the end, by its name.
  results::Rules rules;                         ///< All rules of the results.
  contract::Clients clients;                    ///< Effects of violations on clients.
  std::map<std::string, std::string> throughput;  ///< Throughput of each target, by its name.
  std::map<std::string, Growth> growth;           ///< Growth of the cost of each target, by its name.
  bool quick = false;                             ///< Only what finds most was to be tried.
  Plan plan;
  std::set<std::size_t> shards;  ///< Shards in the results, from 1; empty: the whole campaign.
  std::string shard_source;      ///< Origin of the shard's number: "--shard" or "SPLITPROOF_SHARD".

  bool operator==(const RunHeading&) const = default;
};

/// A campaign that ended early, because its time was over.
struct CutShort {
  std::string after;          ///< "10m".
  std::size_t planned = 0;    ///< Cases in total; see campaign::Results.
  std::size_t unreached = 0;  ///< Recordings without any tried case, counted for each target.

  auto operator<=>(const CutShort&) const = default;
};

/// The smallest known upstream stream that shows a cause, found within a time limit.
struct Smallest {
  std::size_t events = 0;
  std::size_t of = 0;  ///< Events of the original case.
  Upstream upstream;
  bool exhausted = false;  ///< The time was over: a smaller stream may exist.

  auto operator<=>(const Smallest&) const = default;
};

/// Tries of the case that shows a cause. The run itself is the first.
struct Tries {
  std::size_t violated = 0;
  std::size_t of = 0;

  auto operator<=>(const Tries&) const = default;
};

/// Properties of a cause that need a running target.
struct CauseNote {
  std::string target;
  std::string rule;                                          ///< The cause's rule.
  std::optional<std::vector<std::string>> accepted_by = {};  ///< As in cause::Cause.
  std::optional<Smallest> smallest = {};                     ///< As in cause::Cause.
  std::string case_id = {};                                  ///< The examined case.
  std::optional<Tries> tries = {};                           ///< As in cause::Cause.

  auto operator<=>(const CauseNote&) const = default;
};

/// A run of a campaign as a value: the input of all reports.
struct RunResult {
  RunHeading header;
  std::vector<RecordingResult> recordings;  ///< By target, then by recording.
  std::vector<StaleExpectation> stale = {};
  std::vector<CauseNote> causes = {};
  std::optional<CutShort> cut_short = {};
  bool complete = true;  ///< false: it was interrupted.

  bool operator==(const RunResult&) const = default;
};

}  // namespace splitproof::results
