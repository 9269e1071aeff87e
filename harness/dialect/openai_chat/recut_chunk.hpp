#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::dialect {

/// The one string by which a Chat Completions chunk goes on with the answer.
enum class ChatVoice : std::uint8_t {
  none,  ///< nothing, or only empty strings
  content,
  reasoning_content,
  reasoning,
  refusal,
  call,    ///< one element of `tool_calls`
  several  ///< more than one of these
};

/// The key of `delta` that a voice of prose stands under.
std::string_view key_of(ChatVoice prose);

/// One element of `tool_calls`. What is absent, null or "" is empty.
struct ChatCallPiece {
  std::optional<std::int64_t> index;
  std::string id;
  std::string name;
  std::string arguments;
};

/// What a chunk says.
struct ChatSaid {
  ChatVoice voice = ChatVoice::none;
  std::string text;                  ///< of the voice; a call's arguments; empty where there are several
  std::vector<ChatCallPiece> calls;  ///< the elements of `tool_calls`
  bool choice = false;               ///< it has a choice
  bool role = false;
  bool finish = false;       ///< `finish_reason` is a string that is not empty
  bool usage = false;        ///< `usage` is not null
  bool other_usage = false;  ///< the choice has one, or another member, as `x_groq`

  bool any_usage() const { return usage || other_usage; }
};

/// What `chunk` says, where it is of the form that can be recut: an object with no choice or one choice of
/// index 0, in which each key that may carry the answer has the type it should have, and no other does: no
/// error, no `message` or `text` beside the delta, no content in parts, no reasoning details, no arguments
/// that are JSON instead of text. None for any other chunk, which is then left alone.
std::optional<ChatSaid> said_by(const nlohmann::ordered_json& chunk);

// The following take chunks that have a choice.

/// A chunk of the same answer that says nothing yet: members of `chunk` that are scalars, without usage; a
/// choice with an empty delta and, as keys of `chunk`, `finish_reason` and `logprobs` null.
nlohmann::ordered_json head_of(const nlohmann::ordered_json& chunk);

/// `head_of` with the delta of `chunk`: all but what ends an answer.
nlohmann::ordered_json opening_of(const nlohmann::ordered_json& chunk);

/// `chunk` with an empty delta: the finish, the usage and whatever else it has.
nlohmann::ordered_json ending_of(const nlohmann::ordered_json& chunk);

/// Whether nothing is lost with `chunk`, which may be without choice: no role unless it `role_was_said` before,
/// no text, call, finish or usage, and nothing unknown but scalars.
bool says_nothing(const nlohmann::ordered_json& chunk, bool role_was_said);

/// The delta that says `text` by a voice of prose.
nlohmann::ordered_json saying(ChatVoice prose, const std::string& text);

/// The delta that has these elements of `tool_calls`.
nlohmann::ordered_json calling(const std::vector<nlohmann::ordered_json>& elements);

/// `chunk` with its voices emptied: strings to "", calls taken out.
nlohmann::ordered_json emptied(const nlohmann::ordered_json& chunk);

/// The chunk that says `delta` in the place of `chunk`, which has one voice: alone, or as one of several that follow each
/// other. A delta holds the keys of that voice alone. The first chunk also has the other keys of the delta, the last the
/// finish, the usage and the unknown members.
nlohmann::ordered_json dealt(const nlohmann::ordered_json& chunk, const nlohmann::ordered_json& delta,
                             bool first, bool last);

/// All of them, for one or more deltas.
std::vector<nlohmann::ordered_json> dealt(const nlohmann::ordered_json& chunk,
                                          const std::vector<nlohmann::ordered_json>& deltas);

}  // namespace splitproof::dialect
