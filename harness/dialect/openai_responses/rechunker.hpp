#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the dealer for streams of Responses. A run consists of consecutive deltas of one string: the text
/// of a part, arguments, input. Keepalives and empty deltas of the same string may be between them. Events
/// other than an `event` line and a `data` line stay unchanged, and no text moves past them. Event numbers
/// are renumbered.
const split::Rechunker& responses_dealer();

/// Returns stream `number` of a trial with this body, with all copies of its text changed. Returns nullopt if
/// it has no text to replace, or is not regular.
std::optional<CanaryStream> responses_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
