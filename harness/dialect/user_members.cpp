#include "harness/dialect/user_members.hpp"

#include <algorithm>
#include <array>

namespace splitproof::dialect {
namespace {

constexpr std::array<std::string_view, 36> kWords = {
    "content",       "text",           "thinking",   "reasoning", "reasoning_content",
    "refusal",       "delta",          "summary",    "title",     "instructions",
    "system",        "prompt",         "query",      "queries",   "description",
    "output",        "result",         "transcript", "user",      "user_id",
    "cited_text",    "quote",          "snippet",    "url",       "data",
    "file_data",     "filename",       "images",     "token",     "stop",
    "stop_sequence", "stop_sequences", "input",      "code",      "response",
    "document_title"};
constexpr std::array<std::string_view, 3> kArguments = {"arguments", "args", "partial_json"};

template <std::size_t kSize>
bool contains(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

MemberContent content_of_member(std::string_view name, std::string_view type, bool is_object) {
  if (is_object) {
    const bool is_free = contains(kArguments, name) || name == "input" || name == "metadata";
    return is_free ? MemberContent::values : MemberContent::structure;
  }
  if (contains(kArguments, name)) return MemberContent::json_text;
  const bool is_piece = name == "delta" || name == "input";
  if (is_piece && type.find("arguments") != type.npos) return MemberContent::json_text;
  return contains(kWords, name) ? MemberContent::words : MemberContent::structure;
}

}  // namespace splitproof::dialect
