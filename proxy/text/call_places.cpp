#include "proxy/text/call_places.hpp"

#include <array>
#include <string_view>

namespace splitproof::text {
namespace {

// Openings of markup, a wrapper that matters only in explanations, openings of a result, and closings.
constexpr std::size_t kFirstOther = 10;
constexpr std::size_t kFirstResult = 11;
constexpr std::size_t kFirstClosing = 13;
constexpr std::array<std::string_view, 23> kTags = {"<tool_call>",
                                                    "<function_calls>",
                                                    "<antml:function_calls>",
                                                    "<minimax:tool_call>",
                                                    "<invoke name=\"",
                                                    "<antml:invoke name=\"",
                                                    "<tool name=\"",
                                                    "<antml:tool name=\"",
                                                    "<function=",
                                                    "<|tool_call_begin|>",
                                                    "<|tool_calls_section_begin|>",
                                                    "<tool_result",
                                                    "<function_results",
                                                    "</tool_call>",
                                                    "</function_calls>",
                                                    "</antml:function_calls>",
                                                    "</minimax:tool_call>",
                                                    "</invoke>",
                                                    "</antml:invoke>",
                                                    "</tool>",
                                                    "</antml:tool>",
                                                    "</function>",
                                                    "<|tool_call_end|>"};

// The closing of each opening.
constexpr std::array<Spellings, kFirstClosing> kEnds = {{{"</tool_call>", ""},
                                                         {"</function_calls>", "</antml:function_calls>"},
                                                         {"</antml:function_calls>", "</function_calls>"},
                                                         {"</minimax:tool_call>", ""},
                                                         {"</invoke>", "</antml:invoke>"},
                                                         {"</antml:invoke>", "</invoke>"},
                                                         {"</tool>", "</antml:tool>"},
                                                         {"</antml:tool>", "</tool>"},
                                                         {"</function>", ""},
                                                         {"<|tool_call_end|>", ""},
                                                         {"<|tool_calls_section_end|>", ""},
                                                         {"</tool_result>", ""},
                                                         {"</function_results>", ""}}};

}  // namespace

bool CallPlaces::tag_counts() const {
  return within_ != Within::shown && code_.outside() && !code_.quoted() && !explanation_.tag();
}

void CallPlaces::take(char c) {
  if (within_ == Within::result_name) within_ = is_blank(c) || c == '>' ? Within::shown : Within::text;
  if (within_ == Within::shown) return take_shown(c);
  take_tag(c);
  code_.take(c);
  explanation_.take(c);
}

std::size_t CallPlaces::pass(std::string_view piece, std::size_t from) {
  std::size_t at = from;
  while (within_ == Within::shown && at < piece.size()) take_shown(piece[at++]);
  if (within_ != Within::text || !tag_.begins()) return at;
  const std::size_t end = code_.pass(piece, at);
  explanation_.pass(piece.substr(at, end - at));
  return end;
}

void CallPlaces::skip_call() {
  code_.skip_call();
  explanation_ = {};
  tag_ = {};
  tag_explained_ = false;
  within_ = Within::text;
}

// Shown text hides it, as it hides a call.
void CallPlaces::take_shown(char c) {
  if (tag_.seek(kEnds[shown_by_], c) == TagMatch::Is::whole) skip_call();
}

void CallPlaces::take_tag(char c) {
  if (c == '<') {
    if (!code_.outside() || code_.quoted()) return;
    tag_explained_ = explanation_.tag();
  } else if (tag_.begins()) {
    return;
  }
  if (tag_.seek(kTags, c) == TagMatch::Is::whole) end_tag();
}

void CallPlaces::end_tag() {
  const std::size_t found = tag_.found();
  if (found >= kFirstClosing) {
    left_open_ = false;
  } else if (found >= kFirstResult) {
    within_ = Within::result_name;
    shown_by_ = found;
  } else if (tag_explained_) {
    within_ = Within::shown;
    shown_by_ = found;
  } else if (found < kFirstOther) {
    left_open_ = true;
  }
}

}  // namespace splitproof::text
