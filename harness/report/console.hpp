#pragma once

#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::report {

/// The report of a campaign for a person: what was run, which seams were cut, findings grouped by obligation with the
/// smallest reproducer and the bytes around its cut, those that were expected in a line each, expectations that did
/// not come true, what was not exercised, what could not be judged and why, and the verdict as the last line.
/// `colour`: with ANSI colours. `complete = false`: the run was broken off, so there is no verdict.
std::string console_report(const std::vector<campaign::RecordingResult>& results, const Heading& heading,
                           const Summary& summary, bool colour, bool complete = true);

}  // namespace splitproof::report
