#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"

namespace splitproof::observe {

/// A text without the blocks of the request that the upstream repeats, as docs/cleaning.md has it.
std::string without_hidden_blocks(std::string_view text);

/// What is left of an answer's parts once all is taken out of them that a profile has a proxy take out: paths, the upstream's
/// own identity in favour of `model`, hidden blocks. Each part is read by itself and at once. What is left without a byte is
/// no part, and thinking that was changed has no signature.
void take_out(std::vector<Part>& parts, const Choices& choices, std::string_view model);

}  // namespace splitproof::observe
