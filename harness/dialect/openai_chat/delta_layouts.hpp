#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/recut_runs.hpp"

namespace splitproof::dialect {

/// Which of the things that an answer says share an event.
enum class DeltaLayout : std::uint8_t {
  finish_fused,       ///< the finish in the last event that has text or a call
  finish_alone,       ///< the finish in an event without text and calls
  finish_repeated,    ///< the finish, and again in the next event
  usage_with_finish,  ///< the usage in the event of the finish
  usage_after,        ///< the usage after the finish in an event of its own, without choices
  usage_before,       ///< such an event before the finish
  role_first_alone,   ///< the role in a first event of its own
  role_fused,         ///< the role in the event of the first text or call
  role_never,         ///< no role
  tools_one_chunk,    ///< the starts of calls that directly follow each other in one event
  tools_interleaved   ///< two such calls start, then pieces of their arguments alternate
};

inline constexpr std::size_t kDeltaLayouts = static_cast<std::size_t>(DeltaLayout::tools_interleaved) + 1;

/// As it stands in labels: "finish:fused".
std::string_view label_of(DeltaLayout packing);

/// Packs a body's events so. Nothing where that is how they are packed, where there is no such thing, or where
/// it would have to pass what is left alone or could mean something else: usage is moved only if it was said
/// once, before `[DONE]`.
ChatReplacements pack(const ChatBody& body, const RechunkedCalls& calls, const std::vector<ChatRun>& runs,
                      DeltaLayout packing);

}  // namespace splitproof::dialect
