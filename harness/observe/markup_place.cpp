#include "harness/observe/markup_place.hpp"

#include <algorithm>
#include <span>

#include "harness/observe/markup_words.hpp"

namespace splitproof::observe {
namespace {

constexpr std::string_view kFullWidthColon = "\xef\xbc\x9a";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_emphasis(char c) { return c == '*' || c == '_'; }

bool ends_with_any(std::string_view before, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return before.ends_with(word); });
}

bool ends_with_colon(std::string_view before) {
  return before.ends_with(':') || before.ends_with(kFullWidthColon);
}

}  // namespace

bool MarkupPlace::closes_fence(const FenceLine& line) const {
  return fence_ && line.mark == fence_->mark && line.marks >= fence_->marks && line.info.empty();
}

void MarkupPlace::open_fence(const FenceLine& line) {
  fence_ = Fence{line.mark, line.marks};
  odd_ = in_run_ = false;
}

void MarkupPlace::close_fence() {
  fence_.reset();
  odd_ = in_run_ = false;
}

bool MarkupPlace::explains_json(std::string_view text) const {
  const std::string_view before = text.substr(0, behind_last_);
  return ends_with_colon(before) || before.ends_with(',') || before.ends_with('[');
}

bool MarkupPlace::explains_tag(std::string_view text) const {
  return ends_with_colon(text.substr(0, behind_last_of_line_));
}

void MarkupPlace::take(std::string_view text, std::size_t at) {
  const char c = text[at];
  take_tags(text, at);
  line_begins_ = c == '\n';
  if (c == '\n') in_quote_ = false;
  take_code(c);
  take_last(text, at);
}

void MarkupPlace::take_code(char c) {
  const bool tick = c == '`' && !in_fence() && !in_quote_ && !in_element();
  if (tick && !in_run_) odd_ = !odd_;
  in_run_ = tick;
  if (c == '\n') odd_ = false;
}

/// Handles the tags that end with this byte.
void MarkupPlace::take_tags(std::string_view text, std::size_t at) {
  constexpr std::string_view kEnds = ">\"= \t\r\n";
  const std::string_view with = text.substr(0, at + 1);
  if (in_element()) {
    if (ends_with_any(with, element_ends_)) element_ends_ = {};
    return;
  }
  if (is_text()) return;
  if (text[at] == '<') tag_explained_ = explains_tag(text);
  if (kEnds.find(text[at]) == std::string_view::npos) return;
  for (const TagPair& pair : kTagPairs) {
    const bool opens = ends_with_any(with, pair.open);
    if (opens && tag_explained_) element_ends_ = pair.close;
    if (opens && !tag_explained_ && pair.begins_call) left_open_ = true;
    if (ends_with_any(with, pair.close) && pair.begins_call) left_open_ = false;
  }
  if (text[at] != '>' && !is_space(text[at])) return;
  for (const TagPair& pair : kResults)
    if (ends_with_any(text.substr(0, at), pair.open)) element_ends_ = pair.close;
}

void MarkupPlace::take_last(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_emphasis(c)) return;
  if (!is_space(c)) behind_last_ = at + 1;
  if (c != ' ' && c != '\t') behind_last_of_line_ = at + 1;
}

void MarkupPlace::take_call() {
  line_begins_ = odd_ = in_run_ = false;
  behind_last_ = behind_last_of_line_ = 0;
}

}  // namespace splitproof::observe
