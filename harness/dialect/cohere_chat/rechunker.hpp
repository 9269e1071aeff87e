#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the dealer for chat streams of Cohere. A run consists of the consecutive pieces of one block, of the tool plan,
/// or of one call's arguments. Only comments may be between them. Its own recuts are in layouts.cpp.
const split::Rechunker& cohere_dealer();

/// Returns stream `number` of a trial with this body. Returns nullopt if it has no text to replace, or does not end
/// properly.
std::optional<CanaryStream> cohere_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
