#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/cause/cause.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// The first few names, "and 3 more".
std::string few(const std::vector<std::string>& names);

/// The number of the cause of each finding, counted from 1.
using CauseNumbers = std::map<const results::Row*, std::size_t>;
CauseNumbers cause_numbers(const Summary& summary);

/// No more than `most` bytes of it and "...", in whole characters.
std::string clipped(const std::string& text, std::size_t most);

/// "88 recordings (8 as recorded), 330 cases, 412 findings on ccr".
std::string extent(const cause::Cause& cause);

/// What has to be done to recordings to see it, the most frequent first; empty where recordings alone show it.
std::string trigger(const cause::Cause& cause);

/// "overlap, signature; accepted with overlap: indexed": the knobs on which its rule depends, and what a profile would have to
/// say, as far as that was looked for; empty where it depends on none.
std::string knobs(const cause::Cause& cause);

/// The ids of the rules below it, sorted.
std::vector<std::string> below(const cause::Cause& cause);

/// The ids of the rules that show beside it and may come of other causes, sorted.
std::vector<std::string> perhaps(const cause::Cause& cause);

/// The command that shows it again.
std::string reproduce_line(const cause::Cause& cause, const Heading& heading);

/// "3 of 9 events, no cut".
std::string extent(const cause::Smallest& smallest);

/// The first lines of what its upstream sends, ready to be shown, each with its line feed.
std::string lines(const cause::Smallest& smallest);

/// The command that finds the smallest case again.
std::string shrink_line(const cause::Cause& cause, const Heading& heading);

/// The page of a public incident "owner/name#12"; empty where that is not its form.
std::string incident_url(const std::string& incident);

/// Of one client and one target, what the causes do to it.
struct ReadyFor {
  std::string target;
  const contract::ClientProgram* client = nullptr;
  bool ready = false;  ///< as far as is known
  std::string
      verdict;  ///< "not ready: silently wrong by 2 causes, throws by 1 cause", "ready: no cause in 86 recordings"
};

/// For each target that was tested, the clients of its protocol.
std::vector<ReadyFor> readiness_of(const std::vector<results::RecordingResult>& results,
                                   const Heading& heading, const Summary& summary);

/// Who is hurt and how, the worst first, a line each: "sdk throws: It says so." Where no client was tried with such an
/// answer, what the rule rests on.
std::vector<std::string> hurts(const cause::Cause& cause);

}  // namespace splitproof::report
