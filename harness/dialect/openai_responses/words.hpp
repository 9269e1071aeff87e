#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect::responses_words {

// Words for the reading of Responses.

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

inline std::string text_at(const observe::WireJson& object, std::string_view key) {
  return observe::replace_surrogates(object.at(key).string());
}

inline bool is_call(std::string_view type) { return type == "function_call" || type == "custom_tool_call"; }

inline bool is_opaque(std::string_view type) {
  return type != "message" && type != "reasoning" && !is_call(type);
}

inline bool ends_response(std::string_view type) {
  constexpr std::array<std::string_view, 4> kEnds = {"response.completed", "response.incomplete",
                                                     "response.failed", "response.cancelled"};
  return is_one_of(type, kEnds);
}

/// Returns the kind of a part of a message or of reasoning.
inline observe::PartKind kind_of_part(std::string_view type) {
  if (type == "output_text") return observe::PartKind::text;
  if (type == "refusal") return observe::PartKind::refusal;
  const bool reasons = type == "summary_text" || type == "reasoning_text";
  return reasons ? observe::PartKind::thinking : observe::PartKind::other;
}

/// Events of a string: ".delta" has a piece in `delta`, ".done" has all of it.
struct StringEvents {
  std::string_view event;
  std::string_view item;  ///< The item's type.
  observe::PartKind kind;
  std::string_view index;  ///< The member with the part's number; empty for calls.
  std::string_view all;    ///< The member of ".done".
};

inline constexpr std::array<StringEvents, 6> kStringEvents = {{
    {"response.output_text", "message", observe::PartKind::text, "content_index", "text"},
    {"response.refusal", "message", observe::PartKind::refusal, "content_index", "refusal"},
    {"response.reasoning_summary_text", "reasoning", observe::PartKind::thinking, "summary_index", "text"},
    {"response.reasoning_text", "reasoning", observe::PartKind::thinking, "content_index", "text"},
    {"response.function_call_arguments", "function_call", observe::PartKind::call, "", "arguments"},
    {"response.custom_tool_call_input", "custom_tool_call", observe::PartKind::call, "", "input"},
}};

}  // namespace splitproof::dialect::responses_words
