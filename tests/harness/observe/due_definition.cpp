#include "tests/harness/observe/due_definition.hpp"

#include <algorithm>
#include <string_view>

#include "harness/observe/call_arguments.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

/// Returns how many last bytes of `text` begin an incomplete character.
std::size_t begun_character(std::string_view text) {
  constexpr std::size_t kLongest = 3;  // a character of four bytes without its last
  for (std::size_t length = 1; length <= std::min(kLongest, text.size()); ++length) {
    const std::string_view tail = text.substr(text.size() - length);
    if (continues_character(tail[0])) continue;
    return utf8_step(tail).kind == Utf8Step::Kind::truncated ? length : 0;
  }
  return 0;
}

/// Calls that have not started are at the end, whatever else comes before them.
bool has_started(const Part& part) {
  return part.kind != PartKind::call || (!part.id.empty() && !part.name.empty());
}

}  // namespace

Due due_by_definition(const Answer& so_far, const Choices& choices) {
  Due due;
  const auto& parts = so_far.parts;
  std::size_t count = parts.size();
  while (count > 0 && !has_started(parts[count - 1])) --count;
  bool inside = false;  // inside a think span
  for (std::size_t i = 0; i < count; ++i) {
    const Part& part = parts[i];
    const bool is_last = i + 1 == count;
    if (part.kind == PartKind::other) continue;
    if (part.kind != PartKind::call) {
      const std::size_t begun = is_last ? begun_character(part.text) : 0;
      const bool leads = i == 0 && so_far.begins_with_text && choices.reroute_think_tags;
      if (part.kind != PartKind::text || (!leads && !inside)) {
        due.prose += part.text.size() - begun;
        continue;
      }
      // Neither tags nor possible beginnings of tags.
      const ThinkSpan span = inside ? open_think_span(part.text) : think_span(part.text);
      inside = span.opens && !span.closes;
      due.prose += span.thinking.size() + span.rest.size() - std::max(is_last ? span.undecided : 0, begun);
      continue;
    }
    if (!has_started(part)) continue;
    ++due.calls;
    if (part.custom) {
      due.arguments += part.arguments.size() - begun_character(part.arguments);
    } else if (begins_object(part.arguments)) {
      due.arguments +=
          part.arguments.size() - leading_blanks(part.arguments) - begun_character(part.arguments);
    }
    if (!is_last && !(part.custom ? part.ended : is_whole_json(part.arguments))) break;
  }
  return due;
}

}  // namespace splitproof::observe
