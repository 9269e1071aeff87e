#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Each function returns lines of the console report, or "" if there is nothing to report.

/// The cuts at each kind of seam, and the kinds that no recording has.
std::string seam_lines(const split::SeamCoverage& coverage);

/// The rules that were judged on no recording: those not exercised, then the others, grouped by their reason.
std::string unseen_rule_lines(const std::vector<results::RecordingResult>& results);

/// The violations that relays pass on from their upstreams, one line for each rule and target. Recuts and faults
/// are counted separately, because the harness made them and not the provider.
std::string passed_on_lines(const std::vector<results::RecordingResult>& results);

/// The expected violations in the order of the file, one line for each expectation, target and rule; then the
/// stale expectations.
std::string expectation_lines(const std::vector<results::RecordingResult>& results, const Summary& summary);

/// The recuts that were not run, because they change the meaning.
std::string skipped_recut_lines(const Summary& summary);

/// The recordings in which no rule was judged, and the cases that were not run, with reasons.
std::string unjudged_lines(const std::vector<results::RecordingResult>& results, const Heading& heading);

/// The violations that do not change the verdict, one line for each rule and target.
std::string advice_lines(const std::vector<results::RecordingResult>& results, bool strict);

}  // namespace splitproof::report
