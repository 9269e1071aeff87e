#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/answer.hpp"

namespace splitproof::observe {

/// Where in `text` the one of these begins that is whole first; of those that end at the same byte, the longest. None
/// of them is there: nothing. Empty ones count for nothing.
std::optional<std::size_t> first_stop(std::string_view text, const std::vector<std::string>& stops);

/// Ends the answer where its text says what the client wanted it to end at, as docs/cleaning.md has it: each text part is
/// read by itself, and what stands behind goes. Whether it did.
bool cut_at_stops(std::vector<Part>& parts, const std::vector<std::string>& stops);

}  // namespace splitproof::observe
