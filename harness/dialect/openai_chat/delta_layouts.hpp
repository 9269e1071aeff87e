#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/recut_runs.hpp"

namespace splitproof::dialect {

/// Distribution of an answer's contents over events.
enum class DeltaLayout : std::uint8_t {
  finish_fused,       ///< The finish in the last event with text or a call.
  finish_alone,       ///< The finish in an event without text and calls.
  finish_repeated,    ///< The finish, and again in the next event.
  usage_with_finish,  ///< The usage in the event of the finish.
  usage_after,        ///< The usage after the finish in a separate event without choices.
  usage_before,       ///< The usage in such an event before the finish.
  role_first_alone,   ///< The role in a separate first event.
  role_fused,         ///< The role in the event of the first text or call.
  role_never,         ///< No role.
  tools_one_chunk,    ///< The starts of successive calls in one event.
  tools_interleaved   ///< Two successive calls start, then pieces of their arguments alternate.
};

inline constexpr std::size_t kDeltaLayouts = static_cast<std::size_t>(DeltaLayout::tools_interleaved) + 1;

/// Returns its label: "finish:fused".
std::string_view label_of(DeltaLayout packing);

/// Packs a body's events in this way. Returns nothing if they already are, or if the content does not exist.
/// Also returns nothing if the content would move past an unchanged frame, or could change its meaning. Usage
/// moves only if it occurs once, before `[DONE]`.
ChatReplacements pack(const ChatBody& body, const RechunkedCalls& calls, const std::vector<ChatRun>& runs,
                      DeltaLayout packing);

}  // namespace splitproof::dialect
