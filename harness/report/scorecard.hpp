#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns the report of a campaign as a Markdown page for code forges. It has no dates, so equal results
/// give equal pages. It lists the scope of the run, the totals of each target, and a table of obligations by
/// targets, musts first. For each violated obligation, also an expected one, it has rule, reason, client
/// reactions and the best case of each target. A case has its command, the upstream around the cut and the
/// downstream bytes. `complete = false`: the run was interrupted.
std::string scorecard(const std::vector<results::RecordingResult>& results, const Heading& heading,
                      const Summary& summary, bool complete);

}  // namespace splitproof::report
