#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the dealer for streams of Anthropic Messages. A run consists of consecutive deltas of one block's
/// text, thinking or arguments. Pings, comments and empty deltas of the same kind may be between them. Events
/// other than an `event` line and a `data` line stay unchanged, and no text moves past them.
const split::Rechunker& anthropic_dealer();

/// Returns stream `number` of a trial with this body. Returns nullopt if it has no text to replace, or does
/// not end properly.
std::optional<CanaryStream> anthropic_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
