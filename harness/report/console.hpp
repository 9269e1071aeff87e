#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

struct ConsoleOptions {
  bool colour = false;   ///< With ANSI colours.
  bool all = false;      ///< Prints findings, grouped by obligation, instead of causes.
  bool complete = true;  ///< false: the run was interrupted and has no verdict.
  bool verbose =
      false;  ///< Adds the details of all bugs, the seams that were cut and the rules that were not judged.
};

/// Returns the report of a campaign for the console. The first sentence is the verdict for people (headline.hpp).
/// Then come the bugs (cause_card.hpp), the state of each client, the context of the run, expected violations,
/// stale expectations, and advice. The last line is the verdict for programs.
std::string console_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                           const Summary& summary, const ConsoleOptions& options = {});

}  // namespace splitproof::report
