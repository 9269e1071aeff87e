#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/answer.hpp"

namespace splitproof::observe {

/// Returns the start of the stop sequence that is complete first in `text`. If several end at the same byte,
/// the longest counts. Returns nullopt without any. Ignores empty ones.
std::optional<std::size_t> first_stop(std::string_view text, const std::vector<std::string>& stops);

/// Cuts the answer at the client's stop sequence (contracts/specifications/cleaning.md). Reads each text part
/// separately, and removes everything after it. Returns true if it did.
bool cut_at_stops(std::vector<Part>& parts, const std::vector<std::string>& stops);

}  // namespace splitproof::observe
