#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/dialect/canary.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// Deals chat streams of Ollama. A run is the content, or the thinking, of consecutive lines; lines that say neither and do
/// not end the answer may lie between. Calls come whole and are left alone, and so is any line of another form.
const split::Rechunker& ollama_dealer();

/// Stream `number` of a trial with this body. None where it has no content to replace, or does not end well.
std::optional<CanaryStream> ollama_canary(std::string_view body, std::size_t number);

}  // namespace splitproof::dialect
