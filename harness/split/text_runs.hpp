#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/split/chat_body.hpp"
#include "harness/split/chat_calls.hpp"

namespace splitproof::split {

/// Consecutive pieces of one string: of the text, of the thinking, or of one call's arguments.
struct TextRun {
  Voice voice = Voice::content;
  std::optional<std::size_t> call;  ///< of arguments: which call
  bool starts_call = false;  ///< its first frame, or a frame without arguments before it, starts the call
  std::vector<std::size_t> frames;  ///< the frames that hold its pieces, none of which is empty
  std::u16string text;              ///< the pieces joined
  std::u16string before;            ///< of arguments: what the call had of them before
};

/// The runs of a body, in order. Only frames that say nothing, or the role, or that repeat who a call is, lie
/// between the pieces of one run. It ends with the frame that has a finish or a usage, and after the first
/// finish there is none. A call that starts without arguments and never goes on gives a run without pieces.
std::vector<TextRun> find_runs(const ChatBody& body, const ChatCalls& calls);

/// The first element of a chunk's `tool_calls`, with other arguments.
nlohmann::ordered_json with_arguments(const nlohmann::ordered_json& chunk, const std::string& arguments);

/// The element of `tool_calls` by which a later chunk goes on with a call: its index, or else its id, and these
/// arguments.
nlohmann::ordered_json continuation(const ChatCall& call, const std::string& arguments);

/// Deals the text of a run out as `pieces`, which joined are that text. As many events as there are pieces:
/// each takes the event of an old piece, while there are any, and the last old one is divided among the rest.
/// Old events that are left over are emptied.
void deal(const ChatBody& body, const ChatCalls& calls, const TextRun& run,
          const std::vector<std::u16string>& pieces, Replacements& replacements);

}  // namespace splitproof::split
