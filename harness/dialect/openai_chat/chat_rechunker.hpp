#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Deals Chat Completions bodies. Events that are not of the ordinary form (one `data` line with a JSON object, one choice,
/// text where text belongs) stay as they are, and no text passes them, a finish or a usage. Its own labels:
///
///     call:ina ...     id, name and arguments of each call's start dealt over events (call_layouts.hpp)
///     finish:fused ... which things share an event (delta_layouts.hpp)
const split::Rechunker& chat_dealer();

/// Stream `number` of a trial with this body. None where it has no text to replace, no finish or no `[DONE]`.
std::optional<CanaryStream> chat_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
