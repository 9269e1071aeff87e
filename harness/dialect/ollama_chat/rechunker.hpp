#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Returns the dealer for chat streams of Ollama. A run consists of the content, or the thinking, of
/// consecutive lines. Lines without both that do not end the answer may be between them. Calls come whole and
/// stay unchanged, like any line of another form.
const split::Rechunker& ollama_dealer();

/// Returns stream `number` of a trial with this body. Returns nullopt if it has no content to replace, or
/// does not end properly.
std::optional<CanaryStream> ollama_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
