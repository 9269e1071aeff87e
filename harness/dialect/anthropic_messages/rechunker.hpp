#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Deals streams of Anthropic Messages. A run is what consecutive deltas say of one block's text, thinking or arguments;
/// pings, comments and deltas of the same kind that say nothing may lie between. Whatever is not of the ordinary form, an `event`
/// line and a `data` line, is left alone, and no text passes it.
const split::Rechunker& anthropic_dealer();

/// Stream `number` of a trial with this body. None where it has no text to replace, or does not end well.
std::optional<CanaryStream> anthropic_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
