#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// How large the page becomes at most, in bytes.
inline constexpr std::size_t kMostOfPage = 10'000'000;

/// The report of a campaign as one HTML file that needs nothing else: the verdict, which clients can work with each
/// target, the causes in order with the bytes of the case by which each is shown, and what became of each rule. Where it
/// would become too large, the causes that harm least are told without bytes, and the last ones only counted.
std::string html_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                        const Summary& summary, bool complete);

extern const char* const kPageStyle;   ///< its CSS
extern const char* const kPageScript;  ///< its JavaScript; the page can be read without

}  // namespace splitproof::report
