#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Maximum number of results that GitHub shows for an upload.
inline constexpr std::size_t kMostResults = 5000;

/// Bytes; GitHub's limit is for compressed data.
inline constexpr std::size_t kMostOfSarif = 10'000'000;

/// Returns SARIF 2.1.0: one result for each cause, on the file of its target. A notification counts results
/// that were omitted.
std::string sarif_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete);

}  // namespace splitproof::report
