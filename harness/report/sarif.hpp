#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Of the results of an upload GitHub shows so many.
inline constexpr std::size_t kMostResults = 5000;

/// GitHub takes no more bytes, compressed.
inline constexpr std::size_t kMostOfSarif = 10'000'000;

/// SARIF 2.1.0: one result for each cause, on the file of its target. What is left out, as there are too many, is said by a
/// notification.
std::string sarif_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete);

}  // namespace splitproof::report
