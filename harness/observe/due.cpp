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
    const Due of_part =
        is_call ? call_of(part) : prose_of(part, at_ == 0 && so_far.begins_with_text, is_last);
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
  if (part.kind != PartKind::text || !(inside_ || (leads && reroute_)))
    return {part.text.size() - begun, 0, 0};
  // Neither tags nor what may become one.
  const ThinkSpan span = inside_ ? open_think_span(part.text, part_.read) : think_span(part.text, part_.read);
  part_.ends_inside = span.opens && !span.closes;
  part_.read = span.thinking.size();
  const std::size_t waiting = std::max(is_last ? span.undecided : 0, begun);
  return {span.thinking.size() + span.rest.size() - waiting, 0, 0};
}

Due DueCount::call_of(const Part& part) {
  const std::string_view arguments = part.arguments;
  part_.progress.take(arguments.substr(part_.read));
  part_.blanks += leading_blanks(arguments.substr(part_.blanks));
  part_.read = arguments.size();
  if (part.custom) return {0, arguments.size() - begun_character(arguments), 1};
  if (carries_.custom_tools.contains(part.name) || !begins_object(arguments.substr(part_.blanks)))
    return {0, 0, 1};
  return {0, arguments.size() - part_.blanks - begun_character(arguments), 1};
}

}  // namespace splitproof::observe
