#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// What a shields endpoint answers: the verdict, as a badge has room for it.
std::string badge(const std::vector<results::RecordingResult>& results, const Heading& heading,
                  const Summary& summary, bool complete);

}  // namespace splitproof::report
