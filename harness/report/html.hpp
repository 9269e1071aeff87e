#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Maximum size of the page, in bytes.
inline constexpr std::size_t kMostOfPage = 10'000'000;

/// Returns the report of a campaign as one standalone HTML file. It has the verdict, the readiness of each
/// target for clients, and a table of rules. The causes have the bytes of their cases. If the page is too
/// large, the least harmful causes have no bytes, and the last ones are only counted.
std::string html_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                        const Summary& summary, bool complete);

extern const char* const kPageStyle;   ///< its CSS
extern const char* const kPageScript;  ///< its JavaScript; the page is readable without it

}  // namespace splitproof::report
