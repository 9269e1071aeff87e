#include "harness/observe/markup_fence.hpp"

#include <algorithm>
#include <utility>

#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {
namespace {

constexpr std::string_view kLineBlanks = " \t\r";

/// Reads the object at `begin`. The state is `call` if it is a call, even of an undeclared function.
MarkupAttempt object_call_at(JsonSpans& spans, std::size_t begin) {
  MarkupAttempt attempt;
  const std::size_t left = spans.text().size() - begin;
  const JsonSpan span = spans.at(begin);
  if (span.state == JsonSpan::State::open && left < kMostCallBytes && may_become_json_call(spans, begin))
    attempt.state = MarkupAttempt::State::open;
  if (span.state != JsonSpan::State::whole) return attempt;
  std::optional<JsonCall> call = json_call_at(spans, begin);
  if (!call) return attempt;
  attempt = {MarkupAttempt::State::call, true, false, span.end, std::move(call->name),
             std::move(call->arguments)};
  return attempt;
}

bool is_known(const DeclaredFunctions& functions, const std::string& name) {
  return can_stand_in_markup(name) && functions.contains(name);
}

}  // namespace

FenceLine fence_line(std::string_view text, std::size_t begin) {
  FenceLine line;
  line.end = std::min(text.find('\n', begin), text.size());
  line.at_end = line.end == text.size();
  line.begin = std::min(text.find_first_not_of(' ', begin), line.end);
  const bool marked = line.begin < line.end && (text[line.begin] == '`' || text[line.begin] == '~');
  if (!marked || line.begin - begin > kDeepestIndent) return line;
  line.mark = text[line.begin];
  const std::size_t behind = std::min(text.find_first_not_of(line.mark, line.begin), line.end);
  line.marks = behind - line.begin;
  line.info = trim_json(text.substr(behind, line.end - behind));
  return line;
}

MarkupAttempt line_json_at(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions,
                           bool whole) {
  const std::string_view text = spans.text();
  MarkupAttempt attempt = object_call_at(spans, begin);
  if (attempt.state != MarkupAttempt::State::call) return attempt;
  const bool fits = attempt.end - begin <= kMostCallBytes;
  const std::size_t object_end = attempt.end;
  attempt.end = std::min(text.find_first_not_of(kLineBlanks, object_end), text.size());
  const bool ends_line = attempt.end == text.size() || text[attempt.end] == '\n';
  const bool alone = ends_line && attempt.end - object_end <= kMostSpaceBytes;
  attempt.named = fits && alone;
  if (!attempt.named || !is_known(functions, attempt.name)) {
    attempt.state = MarkupAttempt::State::none;
  } else if (attempt.end == text.size() && !whole) {
    attempt.state = MarkupAttempt::State::open;
  }
  return attempt;
}

MarkupAttempt fenced_json_at(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions,
                             bool whole) {
  constexpr MarkupAttempt::State kOpen = MarkupAttempt::State::open;
  const std::string_view text = spans.text();
  const FenceLine first = fence_line(text, begin);
  const bool one_word = first.info.find_first_of(" \t\r`") == std::string_view::npos;
  if (first.mark != '`' || first.marks < kLeastFence || !one_word) return {};
  const bool too_long = text.size() - first.begin >= kMostCallBytes;
  const MarkupAttempt undecided = {whole || too_long ? MarkupAttempt::State::none : kOpen};
  if (first.at_end) return undecided;
  const std::size_t inner = skip_markup_space(text, first.end);
  if (inner == text.size()) return undecided;
  if (text[inner] != '{') return {};
  MarkupAttempt attempt = object_call_at(spans, inner);
  if (attempt.state == kOpen) return undecided;
  if (attempt.state != MarkupAttempt::State::call) return {};
  const std::size_t behind = skip_markup_space(text, attempt.end);
  if (behind == text.size()) return is_known(functions, attempt.name) ? undecided : MarkupAttempt();
  const std::size_t feed = text.rfind('\n', behind);
  if (feed < attempt.end) return {};
  const FenceLine last = fence_line(text, feed + 1);
  if (last.mark != '`' || !last.info.empty()) return {};
  if (last.at_end && !whole) return is_known(functions, attempt.name) ? undecided : MarkupAttempt();
  const std::size_t last_tick = last.begin + last.marks;
  if (last.marks < first.marks || last_tick - first.begin > kMostCallBytes) return {};
  if (last.end - last_tick > kMostSpaceBytes) return {};
  attempt.named = true;
  attempt.end = last.end;
  if (!is_known(functions, attempt.name)) attempt.state = MarkupAttempt::State::none;
  return attempt;
}

}  // namespace splitproof::observe
