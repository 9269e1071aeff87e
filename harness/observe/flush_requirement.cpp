#include "harness/observe/flush_requirement.hpp"

#include <algorithm>
#include <string_view>

#include "harness/observe/call_arguments.hpp"
#include "harness/observe/redacted.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

/// Returns the number of last bytes of `text` that begin a character but do not end it.
std::size_t begun_character(std::string_view text) {
  constexpr std::size_t kLongest = 3;  // a character of four bytes without its last
  for (std::size_t length = 1; length <= std::min(kLongest, text.size()); ++length) {
    const std::string_view tail = text.substr(text.size() - length);
    if (continues_character(tail[0])) continue;
    return utf8_step(tail).kind == Utf8Step::Kind::truncated ? length : 0;
  }
  return 0;
}

Due with(const Due& a, const Due& b) {
  return {a.prose + b.prose, a.arguments + b.arguments, a.calls + b.calls};
}

}  // namespace

Due FlushRequirement::after(const Answer& so_far) {
  const auto& parts = so_far.parts;
  while (at_ < parts.size() && !stopped()) {
    const Part& part = parts[at_];
    const bool is_last = at_ + 1 == parts.size();
    const bool may_be_lost = part.custom || part.kind == PartKind::other;
    const LossPolicy becomes = may_be_lost ? carries_.becomes_of(kind_of(part)) : LossPolicy::carried;
    if (becomes == LossPolicy::refused || (becomes == LossPolicy::dropped && is_last)) return total();
    if (becomes == LossPolicy::dropped) {
      ++at_;
      continue;
    }
    if (part.kind == PartKind::call) {
      end_prose();
      if (stopped()) break;
      part_.progress.take(std::string_view(part.arguments).substr(part_.read));
      part_.read = part.arguments.size();
      const bool is_over = !is_last && (part.custom ? part.ended : part_.progress.complete());
      Due of_call = call_of(part, is_over);
      if (may_be_said_already(part, is_last)) of_call = {};
      if (!is_over) return total(of_call);
      passed_ = with(passed_, of_call);
    } else {
      take_prose(part, at_ == 0 && so_far.begins_with_text, is_last);
      if (is_last) break;
      if (part.kind == PartKind::text) inside_ = part_.ends_inside;
    }
    before_ = part.kind;
    part_ = {};
    ++at_;
  }
  return total();
}

Due FlushRequirement::total(const Due& of_call) const {
  return with(with(passed_, of_call), {prose_ ? prose_->settled() : 0, 0, 0});
}

void FlushRequirement::take_prose(const Part& part, bool leads, bool is_last) {
  const std::string_view text = part.text;
  const std::size_t begun = is_last ? begun_character(text) : 0;
  part_.ends_inside = inside_;
  if (part.kind == PartKind::other) return end_prose();
  if (part.kind != PartKind::text) {
    // Parts that the upstream separates stay separate.
    return take_words(part.kind, text.substr(0, text.size() - begun), part_.said, before_ != part.kind);
  }
  ThinkSpan span;
  span.rest = text;
  if (inside_ || (leads && filters_.choices.reroute_think_tags)) {
    // Neither tags nor the possible beginning of a tag.
    span = inside_ ? open_think_span(text, part_.read) : think_span(text, part_.read);
    part_.ends_inside = span.opens && !span.closes;
    part_.read = span.thinking.size();
  }
  const std::size_t undecided = is_last ? span.undecided : 0;
  const std::size_t waits = part_.ends_inside ? std::max(undecided, begun) : 0;
  take_words(PartKind::thinking, span.thinking.substr(0, span.thinking.size() - waits), part_.thought, true);
  if (part_.ends_inside) return;
  take_text(span.rest.substr(0, span.rest.size() - undecided), begun - std::min(undecided, begun), is_last);
}

/// Takes text and the calls in it. `begun` is the number of last bytes that begin a character.
void FlushRequirement::take_text(std::string_view text, std::size_t begun, bool is_last) {
  if (!filters_.choices.rescue_markup)
    return take_words(PartKind::text, text.substr(0, text.size() - begun), part_.said, false);
  Cleaning& cleaning = part_.cleaning;
  cleaning.read(text, carries_.functions, !is_last);
  for (; part_.rescued < cleaning.calls().size(); ++part_.rescued) {
    const Cleaning::Call& call = cleaning.calls()[part_.rescued];
    take_words(PartKind::text, text.substr(call.before.begin, call.before.size()), part_.said, false);
    part_.said = 0;
    end_prose();
    if (stopped()) return;
    if (!said_.take(true, call.name, call.arguments)) continue;
    const std::string_view marker = marker_of(filters_.choices.marker);
    const std::size_t size =
        marker.empty() ? call.arguments.size() : redacted_arguments(call.arguments, marker).size();
    // A client that gets calls whole gets an object, whose bytes the translator chooses.
    const bool rewritten = carries_.renaming.any() || carries_.whole_calls;
    passed_ = with(passed_, {0, rewritten ? 0 : size, 1});
  }
  const Cleaning::Span behind = cleaning.behind();
  const std::size_t waits = begun - std::min(cleaning.undecided(), begun);
  take_words(PartKind::text, text.substr(behind.begin, behind.size() - waits), part_.said, false);
}

/// Takes prose of one part of the client's answer, except the first `taken` bytes. `goes_on`: thinking
/// directly after thinking is the same part.
void FlushRequirement::take_words(PartKind kind, std::string_view words, std::size_t& taken, bool goes_on) {
  if (words.size() <= taken) return;
  const bool same = goes_on && kind == PartKind::thinking && prose_ && prose_->kind() == kind;
  if (taken == 0 && !same) {
    end_prose();
    if (stopped()) return;
    prose_.emplace(kind);
  }
  prose_->take(words.substr(taken), filters_);
  taken = words.size();
}

void FlushRequirement::end_prose() {
  if (!prose_) return;
  prose_->end(filters_);
  passed_.prose += prose_->settled();
  stopped_ = stopped_ || prose_->stopped();
  prose_.reset();
}

/// True if a call repeats, or may still repeat, a call in text. The call is noted when another part follows.
bool FlushRequirement::may_be_said_already(const Part& part, bool is_last) {
  if (!filters_.choices.rescue_markup || part.custom || carries_.custom_tools.contains(part.name))
    return false;
  const bool whole = part_.progress.complete();
  if (!part_.is_told && !whole) return said_.may_answer(part.name);
  const std::string_view arguments = begins_object(part.arguments) ? part.arguments : std::string_view();
  part_.is_told = part_.is_told || !said_.is_said(false, part.name, arguments);
  if (whole && !is_last) said_.take(false, part.name, arguments);
  return !part_.is_told;
}

Due FlushRequirement::call_of(const Part& part, bool is_over) {
  if (carries_.whole_calls) return {};
  const std::string_view arguments = part.arguments;
  part_.blanks += leading_blanks(arguments.substr(part_.blanks));
  if (carries_.renaming.any()) return {0, 0, 1};
  if (part.custom) return {0, arguments_of(part, is_over), 1};
  if (carries_.custom_tools.contains(part.name) || !begins_object(arguments.substr(part_.blanks)))
    return {0, 0, 1};
  return {0, arguments_of(part, is_over) - part_.blanks, 1};
}

/// Returns the number of settled bytes of arguments, including leading blanks.
std::size_t FlushRequirement::arguments_of(const Part& part, bool is_over) {
  const std::string_view arguments = part.arguments;
  const std::string_view marker = marker_of(filters_.choices.marker);
  const std::string_view whole = arguments.substr(0, arguments.size() - begun_character(arguments));
  if (marker.empty()) return whole.size();
  if (is_over) return redacted_arguments(whole, marker).size();
  part_.settled.take(whole.substr(std::min(part_.redacted, whole.size())), marker, part_.without_paths);
  part_.redacted = std::max(part_.redacted, whole.size());
  return part_.without_paths.size();
}

}  // namespace splitproof::observe
