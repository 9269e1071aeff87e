#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns the report of a campaign as JUnit XML: a suite for each target, a test for each rule that was
/// exercised. Deciding findings are failures, with cause and command. Tests that are expected, not judged,
/// passed on or only advice are skipped with a reason. Remarks on a target are properties of its suite.
/// Separate failures are recordings without a verdict, unreadable recordings and stale expectations. An
/// incomplete target is an error.
std::string junit_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete);

}  // namespace splitproof::report
