#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns sections of a Markdown page: the readiness of each target for clients, and the causes in order.
/// Causes have client reactions and commands. At most `most` bytes; further causes are counted.
std::string fix_first(const std::vector<results::RecordingResult>& results, const Heading& heading,
                      const Summary& summary, std::size_t most);

}  // namespace splitproof::report
