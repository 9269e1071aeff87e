#include "harness/observe/due.hpp"

#include <algorithm>
#include <string_view>

#include "harness/observe/call_arguments.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

/// How many last bytes of `text` begin a character without ending it.
std::size_t begun_character(std::string_view text) {
  constexpr std::size_t kLongest = 3;  // a character of four bytes without its last
  for (std::size_t length = 1; length <= std::min(kLongest, text.size()); ++length) {
    const std::string_view tail = text.substr(text.size() - length);
    if (continues_character(tail[0])) continue;
    return utf8_step(tail).kind == Utf8Step::Kind::truncated ? length : 0;
  }
  return 0;
}

}  // namespace

Due DueCount::after(const Answer& so_far) {
  const auto& parts = so_far.parts;
  while (at_ < parts.size()) {
    const Part& part = parts[at_];
    const bool is_last = at_ + 1 == parts.size();
    const bool is_call = part.kind == PartKind::call;
    const bool may_be_lost = part.custom || part.kind == PartKind::other;
    const Becomes becomes = may_be_lost ? carries_.becomes_of(kind_of(part)) : Becomes::carried;
    if (becomes == Becomes::refused || (becomes == Becomes::dropped && is_last)) return passed_;
    if (becomes == Becomes::dropped) {
      ++at_;
      continue;
    }
    Due of_part = is_call ? call_of(part) : prose_of(part, at_ == 0 && so_far.begins_with_text, is_last);
    if (is_call && may_be_said_already(part, is_last)) of_part = {};
    const Due all = {passed_.prose + of_part.prose, passed_.arguments + of_part.arguments,
                     passed_.calls + of_part.calls};
    const bool whole = part.custom ? part.ended : part_.progress.complete();
    if (is_last || (is_call && !whole)) return all;
    if (part.kind == PartKind::text) inside_ = part_.ends_inside;
    passed_ = all;
    part_ = {};
    ++at_;
  }
  return passed_;
}

Due DueCount::prose_of(const Part& part, bool leads, bool is_last) {
  const std::size_t begun = is_last ? begun_character(part.text) : 0;
  part_.ends_inside = inside_;
  if (part.kind == PartKind::other) return {};
  if (part.kind != PartKind::text) return {part.text.size() - begun, 0, 0};
  ThinkSpan span;
  span.rest = part.text;
  if (inside_ || (leads && reroute_)) {
    // Neither tags nor what may become one.
    span = inside_ ? open_think_span(part.text, part_.read) : think_span(part.text, part_.read);
    part_.ends_inside = span.opens && !span.closes;
    part_.read = span.thinking.size();
  }
  const std::size_t undecided = is_last ? span.undecided : 0;
  if (part_.ends_inside) return {span.thinking.size() - std::max(undecided, begun), 0, 0};
  Due due =
      text_of(span.rest.substr(0, span.rest.size() - undecided), begun - std::min(undecided, begun), is_last);
  due.prose += span.thinking.size();
  return due;
}

/// What is due of text, of which so many last bytes begin a character, and of the calls in it.
Due DueCount::text_of(std::string_view text, std::size_t begun, bool is_last) {
  if (!rescues_) return {text.size() - begun, 0, 0};
  Cleaning& cleaning = part_.cleaning;
  cleaning.read(text, carries_.functions, !is_last);
  for (; part_.rescued < cleaning.calls().size(); ++part_.rescued) {
    const Cleaning::Call& call = cleaning.calls()[part_.rescued];
    if (!said_.take(true, call.name, call.arguments)) continue;
    if (!carries_.renaming.any()) part_.of_rescued.arguments += call.arguments.size();
    ++part_.of_rescued.calls;
  }
  const std::size_t told = cleaning.prose() - (begun - std::min(cleaning.undecided(), begun));
  return {told, part_.of_rescued.arguments, part_.of_rescued.calls};
}

/// Whether a call may yet turn out to be one that text said, or has. It is noted once something stands behind it.
bool DueCount::may_be_said_already(const Part& part, bool is_last) {
  if (!rescues_ || part.custom || carries_.custom_tools.contains(part.name)) return false;
  const bool whole = part_.progress.complete();
  if (!part_.is_told && !whole) return said_.may_answer(part.name);
  const std::string_view arguments = begins_object(part.arguments) ? part.arguments : std::string_view();
  part_.is_told = part_.is_told || !said_.is_said(false, part.name, arguments);
  if (whole && !is_last) said_.take(false, part.name, arguments);
  return !part_.is_told;
}

Due DueCount::call_of(const Part& part) {
  const std::string_view arguments = part.arguments;
  part_.progress.take(arguments.substr(part_.read));
  part_.blanks += leading_blanks(arguments.substr(part_.blanks));
  part_.read = arguments.size();
  if (carries_.renaming.any()) return {0, 0, 1};
  if (part.custom) return {0, arguments.size() - begun_character(arguments), 1};
  if (carries_.custom_tools.contains(part.name) || !begins_object(arguments.substr(part_.blanks)))
    return {0, 0, 1};
  return {0, arguments.size() - part_.blanks - begun_character(arguments), 1};
}

}  // namespace splitproof::observe
