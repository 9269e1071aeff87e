#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns the report of a campaign as JSON Lines. It has a header, a line for each target, recording and
/// obligation, a line for each cause, and a footer with totals. `complete = false` omits the footer, which
/// marks an interrupted run.
std::string jsonl_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete);

/// Return its first line, and the line for a row during a campaign, when causes are unknown.
std::string jsonl_header(const Heading& heading);
std::string jsonl_row(const results::RecordingResult& result, const results::Row& row,
                      const Heading& heading);

}  // namespace splitproof::report
