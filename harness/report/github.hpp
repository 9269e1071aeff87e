#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Maximum number of error annotations that GitHub shows for a step.
inline constexpr std::size_t kMostAnnotations = 10;

/// Bytes; GitHub refuses a job summary of 1 MiB.
inline constexpr std::size_t kMostOfJobSummary = 1'000'000;

/// Returns the commands that annotate files in a step of GitHub Actions: a line for each of the first causes.
/// The last one counts the others.
std::string github_annotations(const std::vector<results::RecordingResult>& results, const Heading& heading,
                               const Summary& summary, bool complete);

/// Returns the job summary in Markdown: the verdict and what to fix first.
std::string github_summary(const std::vector<results::RecordingResult>& results, const Heading& heading,
                           const Summary& summary, bool complete);

}  // namespace splitproof::report
