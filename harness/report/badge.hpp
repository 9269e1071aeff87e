#pragma once

#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns the answer of a shields endpoint: the verdict in short form.
std::string badge(const std::vector<results::RecordingResult>& results, const Heading& heading,
                  const Summary& summary, bool complete);

}  // namespace splitproof::report
