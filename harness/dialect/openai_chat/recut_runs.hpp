#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/recut_body.hpp"
#include "harness/dialect/openai_chat/recut_calls.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// A run of the text, of the thinking, of the refusal, or of one call's arguments.
struct ChatRun : split::TextRun {
  ChatVoice voice = ChatVoice::content;
  std::optional<std::size_t> call;  ///< of arguments: which call
  bool starts_call = false;         ///< its first event, or one without arguments before it, starts the call
};

/// The runs of a body, in order. Only frames that say nothing, or the role, or that repeat who a call is, lie
/// between the pieces of one run. It ends with the frame that has a finish or a usage, and after the first
/// finish there is none. A call that starts without arguments and never goes on gives a run without pieces. A
/// call whose arguments come whole again gives none: in other pieces they would be no repetition.
std::vector<ChatRun> find_runs(const ChatBody& body, const RechunkedCalls& calls);

/// The first element of a chunk's `tool_calls`, with other arguments.
nlohmann::ordered_json with_arguments(const nlohmann::ordered_json& chunk, const std::string& arguments);

/// The element of `tool_calls` by which a later chunk goes on with a call: its index, or else its id, and these
/// arguments.
nlohmann::ordered_json continuation(const RechunkedCall& call, const std::string& arguments);

}  // namespace splitproof::dialect
