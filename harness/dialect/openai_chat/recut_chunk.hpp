#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::dialect {

/// The only string with which a Chat Completions chunk continues the answer.
enum class ChatVoice : std::uint8_t {
  none,  ///< Nothing, or only empty strings.
  content,
  reasoning_content,
  reasoning,
  refusal,
  call,    ///< One element of `tool_calls`.
  several  ///< More than one of these.
};

/// Returns the key in `delta` of a voice of prose.
std::string_view key_of(ChatVoice prose);

/// One element of `tool_calls`. Absent values, null and "" are empty.
struct ChatCallPiece {
  std::optional<std::int64_t> index;
  std::string id;
  std::string name;
  std::string arguments;
};

/// Content of a chunk.
struct ChatSaid {
  ChatVoice voice = ChatVoice::none;
  std::string text;                  ///< The voice's text or a call's arguments; empty if there are several.
  std::vector<ChatCallPiece> calls;  ///< The elements of `tool_calls`.
  bool choice = false;               ///< It has a choice.
  bool role = false;
  bool finish = false;       ///< `finish_reason` is a string that is not empty.
  bool usage = false;        ///< `usage` is not null.
  bool other_usage = false;  ///< The choice has usage, or another member, such as `x_groq`.

  bool any_usage() const { return usage || other_usage; }
};

/// Returns the content of `chunk` if it can be recut. It must be an object with no choice or one choice of
/// index 0. Keys of the answer must have their usual types, and no other key may hold content. So it has none
/// of these: an error, `message` or `text` next to the delta, content in parts, reasoning details, and
/// arguments as JSON instead of text. Returns nullopt for other chunks, which stay unchanged.
std::optional<ChatSaid> said_by(const nlohmann::ordered_json& chunk);

// The following functions need chunks with a choice.

/// Returns an empty chunk of the same answer. It has the scalar members of `chunk` without usage, and a
/// choice with an empty delta. `finish_reason` and `logprobs` are null if `chunk` has them.
nlohmann::ordered_json head_of(const nlohmann::ordered_json& chunk);

/// Returns `head_of` with the delta of `chunk`: everything except the end of an answer.
nlohmann::ordered_json opening_of(const nlohmann::ordered_json& chunk);

/// Returns `chunk` with an empty delta: the finish, the usage and all other members.
nlohmann::ordered_json ending_of(const nlohmann::ordered_json& chunk);

/// True if `chunk`, with or without a choice, can be dropped. It must have no role unless `role_was_said`, no
/// text, call, finish or usage, and only scalar unknown members.
bool says_nothing(const nlohmann::ordered_json& chunk, bool role_was_said);

/// Returns the delta with `text` in a voice of prose.
nlohmann::ordered_json saying(ChatVoice prose, const std::string& text);

/// Returns the delta with these elements of `tool_calls`.
nlohmann::ordered_json calling(const std::vector<nlohmann::ordered_json>& elements);

/// Returns `chunk` with empty voices: strings become "", calls are removed.
nlohmann::ordered_json emptied(const nlohmann::ordered_json& chunk);

/// Returns the chunk with `delta` instead of `chunk`, which has one voice. It may be the only one, or one of
/// several in sequence. A delta has only the keys of that voice. The first chunk also gets the other keys of
/// the delta. The last gets the finish, the usage and the unknown members.
nlohmann::ordered_json dealt(const nlohmann::ordered_json& chunk, const nlohmann::ordered_json& delta,
                             bool first, bool last);

/// Returns such chunks for one or more deltas.
std::vector<nlohmann::ordered_json> dealt(const nlohmann::ordered_json& chunk,
                                          const std::vector<nlohmann::ordered_json>& deltas);

}  // namespace splitproof::dialect
