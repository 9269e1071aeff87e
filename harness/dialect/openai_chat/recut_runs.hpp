#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/recut_body.hpp"
#include "harness/dialect/openai_chat/recut_calls.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// A run of text, of thinking, of a refusal, or of one call's arguments.
struct ChatRun : split::TextRun {
  ChatVoice voice = ChatVoice::content;
  std::optional<std::size_t> call;  ///< Arguments only: the call.
  bool starts_call = false;         ///< The call starts with this run.
};

/// Returns the runs of a body, in order. Between the pieces of one run, there are only frames without
/// content, with the role, or with a repeated identification of a call. A run ends with a frame that has a
/// finish or a usage, and no run follows the first finish. A call without arguments gives a run without
/// pieces. A call whose arguments come whole again gives no run, because other pieces would not be a
/// repetition.
std::vector<ChatRun> find_runs(const ChatBody& body, const RechunkedCalls& calls);

/// Returns the first element of a chunk's `tool_calls`, with other arguments.
nlohmann::ordered_json with_arguments(const nlohmann::ordered_json& chunk, const std::string& arguments);

/// Returns the element of `tool_calls` with which a later chunk continues a call: its index, or otherwise its
/// id, and these arguments.
nlohmann::ordered_json continuation(const RechunkedCall& call, const std::string& arguments);

}  // namespace splitproof::dialect
