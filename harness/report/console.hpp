#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

struct ConsoleOptions {
  bool colour = false;   ///< with ANSI colours
  bool all = false;      ///< prints findings, grouped by obligation, instead of causes
  bool complete = true;  ///< false: the run was interrupted, so there is no verdict
};

/// Returns the report of a campaign for the console. It lists the scope of the run, the seams that were cut,
/// and the causes. Each cause has its smallest reproducer and the bytes around the cut. Then come expected
/// violations, stale expectations, rules not exercised or not judged with reasons, and the readiness of each
/// target for clients. The last line is the verdict.
std::string console_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                           const Summary& summary, const ConsoleOptions& options = {});

}  // namespace splitproof::report
