#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"

namespace splitproof::observe {

/// Returns a text without the blocks of the request that the upstream repeats (contracts/specifications/cleaning.md).
std::string without_hidden_blocks(std::string_view text);

/// Removes what a profile requires a proxy to remove from an answer: paths, hidden blocks, and the upstream's
/// own identity in favour of `model`. Reads each part separately and as a whole. Removes empty parts, and the
/// signature of changed thinking.
void take_out(std::vector<Part>& parts, const Choices& choices, std::string_view model);

}  // namespace splitproof::observe
