#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect::responses_words {

// What the reading of Responses calls things by.

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

/// What a part of a message or of reasoning makes.
inline observe::PartKind kind_of_part(std::string_view type) {
  if (type == "output_text") return observe::PartKind::text;
  if (type == "refusal") return observe::PartKind::refusal;
  const bool reasons = type == "summary_text" || type == "reasoning_text";
  return reasons ? observe::PartKind::thinking : observe::PartKind::other;
}

}  // namespace splitproof::dialect::responses_words
