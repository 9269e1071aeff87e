#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// The report of a campaign as JSON Lines: a header, one line for each target, recording and obligation, one for each cause,
/// and a footer with the totals. `complete = false` leaves the footer out, which marks a run that was broken off.
std::string jsonl_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete);

/// Its first line, and one for a row of a campaign that goes on, whose causes are not known yet.
std::string jsonl_header(const Heading& heading);
std::string jsonl_row(const results::RecordingResult& result, const results::Row& row,
                      const Heading& heading);

}  // namespace splitproof::report
