#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/clients.hpp"
#include "harness/results/growth.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"

namespace splitproof::results {

/// What every report says about a campaign beside its results.
struct RunHeading {
  std::map<std::string, std::string> contracts;  ///< digests, by file name
  std::vector<std::string> targets;
  std::map<std::string, std::string>
      files;  ///< of targets that were named by their file: its path, by their name
  std::map<std::string, std::string>
      places;  ///< of these files, those in the source that is tested: their path below its root
  std::vector<std::string> corpora;  ///< as a person would name them
  std::string profile;
  std::string options;  ///< what a reproducer needs beside case and target: " --profile strict"
  std::string trials;   ///< what one that is a whole run needs beside these: " --splits 0 --faults"
  std::uint64_t seed = 0;
  bool strict = false;
  std::size_t unreadable = 0;   ///< recordings that could not be loaded
  std::size_t untargeted = 0;   ///< recordings whose protocol no target reads
  std::size_t unclaimed = 0;    ///< recordings that a target does not claim to do, counted for each target
  std::size_t unavailable = 0;  ///< targets that could not be run to the end, or never called their upstream
  std::map<std::string, std::string> notes;  ///< what is to be said of how a target was tested, by its name
  std::map<std::string, std::string> untested;  ///< why a target was not run to the end, by its name
  results::Rules rules;                         ///< all that results speak of
  contract::Clients clients;                    ///< what a violation does to them
  std::map<std::string, std::string> throughput;     ///< how fast a target was, by its name
  std::map<std::string, Growth> growth;         ///< how the cost of a target grows, by its name
  bool quick = false;                           ///< only what finds most was to be tried

  bool operator==(const RunHeading&) const = default;
};

/// A campaign that ended before all was tried, since its time was over.
struct CutShort {
  std::string after;          ///< "10m"
  std::size_t planned = 0;    ///< cases that there are; see campaign::Results
  std::size_t unreached = 0;  ///< recordings of which none was tried, counted for each target

  auto operator<=>(const CutShort&) const = default;
};

/// The smallest upstream stream that was found to show a cause, in a given time.
struct Smallest {
  std::size_t events = 0;
  std::size_t of = 0;  ///< events of the case that was made smaller
  Upstream upstream;
  bool exhausted = false;  ///< the time was over: a smaller one may show it

  auto operator<=>(const Smallest&) const = default;
};

/// What was found out about a cause beside what the results say: it takes a target to run.
struct CauseNote {
  std::string target;
  std::string rule;                                          ///< by which the cause is told
  std::optional<std::vector<std::string>> accepted_by = {};  ///< as in cause::Cause
  std::optional<Smallest> smallest = {};                     ///< likewise

  auto operator<=>(const CauseNote&) const = default;
};

/// A run of a campaign, as a value: all that reports are made of.
struct RunResult {
  RunHeading header;
  std::vector<RecordingResult> recordings;  ///< targets in order, recordings in order within them
  std::vector<StaleExpectation> stale = {};
  std::vector<CauseNote> causes = {};
  std::optional<CutShort> cut_short = {};
  bool complete = true;  ///< false: it was broken off

  bool operator==(const RunResult&) const = default;
};

}  // namespace splitproof::results
