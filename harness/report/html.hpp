#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Maximum size of the page, in bytes.
inline constexpr std::size_t kMostOfPage = 3'000'000;

/// Returns the report of a campaign as one standalone HTML file. It has the verdict, the context of the run, the
/// state of each client, a card for each cause, and all rules. If the page is too large, the least harmful causes
/// have no streams, and the last ones are only counted.
std::string html_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                        const Summary& summary, bool complete);

}  // namespace splitproof::report
