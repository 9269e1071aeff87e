#include "harness/observe/answer_shapes.hpp"

#include <algorithm>

#include "harness/observe/call_arguments.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/observe/think_tags.hpp"

namespace splitproof::observe {
namespace {

bool is_text(const Part& part) { return part.kind == PartKind::text || part.kind == PartKind::refusal; }
bool is_thinking(const Part& part) { return part.kind == PartKind::thinking; }
bool is_call(const Part& part) { return part.kind == PartKind::call; }

/// Returns the arguments of a call as the provider sent them.
const std::string& sent(const Part& call) { return call.custom ? call.wrapped : call.arguments; }

bool is_begun_call(const Part& part) {
  return is_call(part) && kind_of_arguments(sent(part)) == Arguments::fragment;
}

bool is_garbled_call(const Part& part) {
  JsonProgress progress;
  progress.take(sent(part));
  return is_call(part) && !progress.possible();
}

bool has_odd_name(const Part& part) {
  constexpr std::size_t kMost = 128;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return is_call(part) && !part.name.empty() &&
         (part.name.size() > kMost || !std::all_of(part.name.begin(), part.name.end(), fits));
}

/// True if the text may hold code. Code has backticks, and JSON that stays unchanged begins a line. Other
/// text of this form is treated as code too.
bool may_hold_code(const Part& part) {
  if (!is_text(part)) return false;
  for (std::size_t at = 0; at < part.text.size();) {
    const std::size_t line_end = std::min(part.text.find('\n', at), part.text.size());
    const std::size_t first = part.text.find_first_not_of(" \t", at);
    if (first < line_end && (part.text[first] == '{' || part.text[first] == '[')) return true;
    at = line_end + 1;
  }
  return part.text.find('`') != part.text.npos;
}

bool any(const std::vector<Part>& parts, bool (*test)(const Part&)) {
  return std::any_of(parts.begin(), parts.end(), test);
}

}  // namespace

void add_answer_shapes(const Answer& meaning, recording::End end, const Choices& choices,
                       Expected& expected) {
  const auto add = [&](const char* shape, bool holds) {
    if (holds) expected.shapes.insert(shape);
  };
  const std::vector<Part>& parts = expected.parts;
  const bool fails = expected.failure.has_value();

  add("nothing_came", meaning.parts.empty() && !meaning.finish && !meaning.done && !meaning.error);
  add("nothing_said", !fails && parts.empty());
  add("cut_off", expected.failure == Failure::cut_off);
  add("failed_first", expected.failure == Failure::reported && parts.empty() && expected.unsettled.empty());
  const bool elsewhere = expected.failure == Failure::elsewhere;
  add("only_done", meaning.done && !meaning.finish && !meaning.error && !elsewhere &&
                       !expected.shapes.contains("ended_empty"));
  add("done_came", !fails && meaning.done);
  add("done_never", meaning.finish && !meaning.done && !meaning.error && end == recording::End::complete);
  add("broke_down", meaning.finish && meaning.finish->kind == FinishKind::breakdown);

  const int kinds = any(parts, is_text) + any(parts, is_thinking) + any(parts, is_call);
  add("mixed", kinds > 1);
  add("code_in_text", any(parts, may_hold_code));
  add("thinking_only", !fails && !meaning.parts.empty() && !any(meaning.parts, is_text) &&
                           !any(parts, is_call) && any(parts, is_thinking));
  if (choices.reroute_think_tags && !meaning.parts.empty() && meaning.parts[0].kind == PartKind::text) {
    const ThinkSpan span = think_span(meaning.parts[0].text);
    add("think_unclosed", span.opens && !span.closes);
  }

  const bool broke_off = expected.failure == Failure::cut_off || expected.failure == Failure::reported;
  add("call_cut_off", broke_off && any(parts, is_begun_call));
  add("garbled_call", any(parts, is_garbled_call));
  const bool is_sent = any(parts, has_odd_name) || any(expected.unsettled, has_odd_name);
  add("odd_name", is_sent || any(meaning.parts, has_odd_name));  // a torn call may still be sent
  add("call_cut_short", !fails && any(parts, is_begun_call));
}

}  // namespace splitproof::observe
