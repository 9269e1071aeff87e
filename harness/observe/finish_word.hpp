#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace splitproof::observe {

/// What a provider's `finish_reason` says.
enum class FinishWord : std::uint8_t {
  stopped,   ///< the model ended of itself: `stop`, `tool_calls`, and every word that nobody knows
  length,    ///< a limit of tokens cut it short
  filtered,  ///< a filter cut it short
  broke      ///< generation broke down, so the answer fails
};

/// Reads the word, in any case of letters. The words are those of docs/provider-quirks.md.
FinishWord read_finish(std::string_view word);

}  // namespace splitproof::observe
