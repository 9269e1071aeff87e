#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Deals streams of Responses. A run is what consecutive deltas say of one string: the text of a part, arguments, input;
/// signs of life and deltas of the same string that say nothing may lie between. Whatever is not of the ordinary form, an
/// `event` line and a `data` line, is left alone, and no text passes it. Numbers that count events count on.
const split::Rechunker& responses_dealer();

/// Stream `number` of a trial with this body: what repeats its text says the same. None where it has no text to replace,
/// or is not regular.
std::optional<CanaryStream> responses_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
