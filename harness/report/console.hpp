#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

struct ConsoleOptions {
  bool colour = false;   ///< with ANSI colours
  bool all = false;      ///< the findings, grouped by obligation, instead of their causes
  bool complete = true;  ///< else the run was broken off, so there is no verdict
};

/// The report of a campaign for a person: what was run, which seams were cut, the causes of its findings with the
/// smallest reproducer and the bytes around its cut, those that were expected in a line each, expectations that did
/// not come true, what was not exercised, what could not be judged and why, which clients can work with each target, and
/// the verdict as the last line.
std::string console_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                           const Summary& summary, const ConsoleOptions& options = {});

}  // namespace splitproof::report
