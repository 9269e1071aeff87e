#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the dealer for answers of Gemini, events or an array. A run consists of the text, or the thinking, of
/// consecutive frames with one part each. Comments and frames with an empty text may be between them. Its own recuts
/// are in frame_layouts.hpp.
const split::Rechunker& gemini_dealer();

/// Returns stream `number` of a trial with this body. Returns nullopt if it has no text to replace, or does not end
/// properly.
std::optional<CanaryStream> gemini_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
