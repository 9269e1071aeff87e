#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/report/summary.hpp"

namespace splitproof::report {

/// Returns when and how a run was made, as pairs of a name and a text: "command", "began", "took", "cases",
/// "verdict by", "versions". Unknown items are left out. A run of several merged parts has several commands.
std::vector<std::pair<std::string, std::string>> run_context(const Heading& heading, const Summary& summary);

/// Returns "0.42 s", "58 s", "4 min 10 s" or "2 h 5 min".
std::string duration_text(std::uint64_t milliseconds);

/// Returns "2,855".
std::string grouped(std::size_t number);

/// Returns "2,855 cases", "1 case".
std::string grouped(std::size_t number, const std::string& thing);

}  // namespace splitproof::report
