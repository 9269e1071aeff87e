#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// The report of a campaign as JUnit XML: a suite for each target, a test for each rule that was exercised with it. Findings
/// that decide are failures, with the cause and the command; what was expected, not judged, passed on or is only advice is
/// skipped with a reason. What is to be said of a target is a property of its suite. A recording of which nothing was judged
/// is a failure of its own, and so are recordings that could not be read and expectations that did not come true. A target
/// that could not be run to the end is an error.
std::string junit_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete);

}  // namespace splitproof::report
