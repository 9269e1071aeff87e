#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the dealer for Chat Completions bodies. Events of other than the ordinary form (one `data` line with a JSON
/// object, one choice, text where text belongs) stay unchanged. No text moves past them, a finish or a usage. Its labels:
///
///     call:ina ...     id, name and arguments of each call's start distributed over events (call_layouts.hpp)
///     finish:fused ... contents that share an event (delta_layouts.hpp)
const split::Rechunker& chat_dealer();

/// Returns stream `number` of a trial with this body. Returns nullopt without text to replace, a finish or
/// `[DONE]`.
std::optional<CanaryStream> chat_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
