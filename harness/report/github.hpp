#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// GitHub shows so many annotations of a step that are errors.
inline constexpr std::size_t kMostAnnotations = 10;

/// Less than the size from which GitHub refuses a job summary, 1 MiB.
inline constexpr std::size_t kMostOfJobSummary = 1'000'000;

/// The commands by which a step of GitHub Actions annotates files: a line for each of the first causes, then how many more
/// there are.
std::string github_annotations(const std::vector<results::RecordingResult>& results, const Heading& heading,
                               const Summary& summary, bool complete);

/// What a job says of itself, in Markdown: the verdict and what to fix first.
std::string github_summary(const std::vector<results::RecordingResult>& results, const Heading& heading,
                           const Summary& summary, bool complete);

}  // namespace splitproof::report
