#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// The report of a campaign as a page in Markdown, to be read on a code forge and committed: no dates, and the same for
/// the same results. What was run, the totals of each target, a table of obligations by targets with the musts first;
/// then for each obligation that was violated what it says, why, what clients do, and for each target the case that shows
/// it best: the command that runs it, the upstream around the cut and the downstream bytes that prove it. Violations that
/// were expected are among them. `complete = false` says that the run was broken off.
std::string scorecard(const std::vector<results::RecordingResult>& results, const Heading& heading,
                      const Summary& summary, bool complete);

}  // namespace splitproof::report
