#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Sections of a page in Markdown: which clients can work with each target, and the causes in order, each with what clients
/// do and its command. No more than `most` bytes: causes that do not fit are counted.
std::string fix_first(const std::vector<results::RecordingResult>& results, const Heading& heading,
                      const Summary& summary, std::size_t most);

}  // namespace splitproof::report
