#include "harness/observe/cleaning.hpp"

#include <algorithm>
#include <utility>

#include "harness/observe/markup_fence.hpp"
#include "harness/observe/markup_json.hpp"

namespace splitproof::observe {
namespace {

constexpr TagGrammar kTagGrammars[] = {TagGrammar::invoke,        TagGrammar::tool,      TagGrammar::function,
                                       TagGrammar::function_json, TagGrammar::arg_pairs, TagGrammar::tag_json,
                                       TagGrammar::special_tokens};

bool is_markup_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool stands_around(const WrapperWords& wrapper, TagGrammar grammar) {
  return wrapper.around[0] == grammar || wrapper.around[1] == grammar;
}

}  // namespace

/// What comes next: so many bytes of text, a call, a closing wrapper, or nothing that can be told yet.
struct Cleaning::Step {
  enum class Kind : std::uint8_t { text, call, closing, wait };

  Kind kind = Kind::text;
  std::size_t end = 0;  ///< one past the last byte that it is about
  MarkupAttempt call = {};
  std::optional<TagGrammar> grammar = {};       ///< of a call that tags make
  std::optional<std::size_t> wrapper = {};      ///< that opens with the call
  std::optional<std::size_t> opens_fence = {};  ///< of a line of text: how many backticks
  bool closes_fence = false;

  static Step of_text(std::size_t end) { return {Kind::text, end}; }
  static Step waiting() { return {Kind::wait}; }
};

void Cleaning::read(std::string_view text, const DeclaredFunctions& functions, bool whole) {
  JsonSpans spans(text);
  size_ = text.size();
  while (at_ < size_) {
    const Step step = next(spans, functions, whole);
    if (step.kind == Step::Kind::wait) break;
    if (whole && step.kind == Step::Kind::text) look_into_code(spans, step.end, functions);
    take(step, text);
  }
  undecided_ = size_ - piece_begin_ - told_of_piece();
}

/// How much of the piece at hand is text for certain: in a fence, all.
std::size_t Cleaning::told_of_piece() const {
  if (is_blank_behind_call()) return 0;
  return (fence_ > 0 ? size_ : at_) - piece_begin_;
}

Cleaning::Step Cleaning::next(JsonSpans& spans, const DeclaredFunctions& functions, bool whole) {
  const std::string_view text = spans.text();
  Step step = Step::of_text(at_ + 1);
  if (fence_ > 0) {
    step = in_fence(text, whole);
  } else {
    if (line_begins_) step = at_line_begin(spans, functions, whole);
    const bool plain = step.kind == Step::Kind::text && step.end == at_ + 1;
    if (plain && text[at_] == '<' && !odd_) step = at_tag(spans, functions);
  }
  // Where nothing more comes, or nobody declared a function, what is no call yet is none.
  if ((whole || functions.empty()) && step.kind == Step::Kind::wait) step = Step::of_text(at_ + 1);
  return step;
}

Cleaning::Step Cleaning::in_fence(std::string_view text, bool whole) {
  const std::size_t feed = std::min(text.find('\n', at_), text.size());
  if (!line_begins_) return Step::of_text(std::min(feed + 1, text.size()));
  const FenceLine line = fence_line(text, at_);
  const bool may_close = line.ticks >= fence_ && line.info.empty() && !line.is_code;
  const bool may_yet = line.at_end && line.info.empty() && !whole;
  if (may_yet) return Step::waiting();
  Step step = Step::of_text(std::min(feed + 1, text.size()));
  step.closes_fence = may_close;
  return step;
}

Cleaning::Step Cleaning::at_line_begin(JsonSpans& spans, const DeclaredFunctions& functions, bool whole) {
  const std::string_view text = spans.text();
  const bool explained = last_ == ':';
  const std::size_t first = std::min(text.find_first_not_of(" \t", at_), text.size());
  if (first - at_ > kMostSpaceBytes) return Step::of_text(first);
  if (first == text.size()) return whole ? Step::of_text(first) : Step::waiting();
  if (text[first] == '{') {
    const MarkupAttempt json = line_json_at(spans, first, functions, whole);
    left_.undeclared |= json.named && json.state == MarkupAttempt::State::none && !explained;
    left_.in_code |= json.state == MarkupAttempt::State::call && explained;
    if (json.state == MarkupAttempt::State::call && !explained) return {Step::Kind::call, json.end, json};
    if (json.state == MarkupAttempt::State::open && !explained && !whole) return Step::waiting();
    return Step::of_text(first + 1);
  }
  const FenceLine line = fence_line(text, at_);
  if (line.ticks < kLeastFence) {
    const bool may_grow = line.at_end && line.ticks > 0 && line.info.empty() && !whole;
    // The byte behind blanks is looked at by itself: it may begin a tag.
    return may_grow ? Step::waiting() : Step::of_text(std::max(first, at_ + 1));
  }
  const MarkupAttempt block = fenced_json_at(spans, at_, functions, whole);
  left_.undeclared |= block.named && block.state == MarkupAttempt::State::none && !explained;
  left_.in_code |= block.state == MarkupAttempt::State::call && explained;
  if (block.state == MarkupAttempt::State::call && !explained) return {Step::Kind::call, block.end, block};
  const bool may_grow = line.at_end && line.info.empty();
  if (!whole && ((block.state == MarkupAttempt::State::open && !explained) || may_grow))
    return Step::waiting();
  Step step = Step::of_text(std::min(text.find('\n', at_), text.size() - 1) + 1);
  step.opens_fence = line.ticks;
  return step;
}

Cleaning::Step Cleaning::at_tag(JsonSpans& spans, const DeclaredFunctions& functions) {
  bool may_yet = false;
  if (wrapper_ && is_blank_behind_call() && has_word(spans.text(), at_, kWrappers[*wrapper_].close, may_yet))
    return {Step::Kind::closing, at_ + kWrappers[*wrapper_].close.size()};
  for (std::size_t wrapper = 0; wrapper < kWrappers.size(); ++wrapper) {
    Step step = with_wrapper(spans, wrapper, functions);
    if (step.kind == Step::Kind::call) return step;
    may_yet |= step.kind == Step::Kind::wait;
  }
  for (const TagGrammar grammar : kTagGrammars) {
    MarkupAttempt found = attempt(spans, at_, grammar, functions);
    if (found.state == MarkupAttempt::State::call)
      return {Step::Kind::call, found.end, std::move(found), grammar};
    may_yet |= found.state == MarkupAttempt::State::open || found.may_wait;
  }
  return may_yet ? Step::waiting() : Step::of_text(at_ + 1);
}

/// A call behind an opening wrapper.
Cleaning::Step Cleaning::with_wrapper(JsonSpans& spans, std::size_t wrapper,
                                      const DeclaredFunctions& functions) {
  const WrapperWords& words = kWrappers[wrapper];
  bool may_yet = false;
  if (!has_word(spans.text(), at_, words.open, may_yet))
    return may_yet ? Step::waiting() : Step::of_text(at_ + 1);
  const std::size_t inner = skip_markup_space(spans.text(), at_ + words.open.size());
  if (inner - at_ - words.open.size() > kMostSpaceBytes) return Step::of_text(at_ + 1);
  if (inner == spans.text().size()) return Step::waiting();
  for (const TagGrammar grammar : words.around) {
    MarkupAttempt found = attempt(spans, inner, grammar, functions);
    if (found.state == MarkupAttempt::State::call)
      return {Step::Kind::call, found.end, std::move(found), grammar, wrapper};
    may_yet |= found.state == MarkupAttempt::State::open || found.may_wait;
  }
  return may_yet ? Step::waiting() : Step::of_text(at_ + 1);
}

MarkupAttempt Cleaning::attempt(JsonSpans& spans, std::size_t begin, TagGrammar grammar,
                                const DeclaredFunctions& functions) {
  MarkupAttempt found = tag_call_at(spans, begin, grammar, functions);
  left_.undeclared |= found.named && found.state == MarkupAttempt::State::none;
  left_.unclosed |= found.may_wait;
  return found;
}

void Cleaning::look_into_code(JsonSpans& spans, std::size_t end, const DeclaredFunctions& functions) {
  if (fence_ == 0 && !odd_) return;
  for (std::size_t at = at_; at < end; ++at) {
    if (spans.text()[at] != '<') continue;
    left_.in_code |= std::any_of(std::begin(kTagGrammars), std::end(kTagGrammars), [&](TagGrammar grammar) {
      return tag_call_at(spans, at, grammar, functions).state == MarkupAttempt::State::call;
    });
  }
}

void Cleaning::take(const Step& step, std::string_view text) {
  if (step.kind == Step::Kind::call) return take_call(step);
  if (step.kind == Step::Kind::closing) {
    dropped_.emplace_back(piece_begin_, step.end);
    at_ = piece_begin_ = step.end;
    wrapper_.reset();
    return;
  }
  for (; at_ < step.end; ++at_) {
    const char c = text[at_];
    line_begins_ = c == '\n';
    odd_ = !line_begins_ && odd_ != (c == '`' && fence_ == 0);
    if (is_markup_space(c) && at_ - piece_begin_ < kMostSpaceBytes) continue;
    if (!is_markup_space(c)) last_ = c;
    piece_is_blank_ = false;
    wrapper_.reset();
  }
  if (step.opens_fence) fence_ = *step.opens_fence;
  if (step.closes_fence) fence_ = 0;
  if (step.opens_fence || step.closes_fence) odd_ = false;
}

void Cleaning::take_call(const Step& step) {
  const bool same_wrapper = wrapper_ && is_blank_behind_call() && step.grammar &&
                            stands_around(kWrappers[*wrapper_], *step.grammar);
  const Span before{is_blank_behind_call() ? at_ : piece_begin_, at_};
  calls_.push_back({before, at_, step.end, step.call.name, step.call.arguments});
  if (step.wrapper || !same_wrapper) wrapper_ = step.wrapper;
  at_ = piece_begin_ = step.end;
  piece_is_blank_ = true;
  line_begins_ = odd_ = false;
  last_ = '>';
}

std::vector<Part> Cleaning::parts(std::string_view text) const {
  std::vector<Part> parts;
  auto dropped = dropped_.begin();
  std::size_t at = 0;
  const auto add_text = [&](std::size_t end) {
    for (; dropped != dropped_.end() && dropped->first == at; ++dropped) at = dropped->second;
    const std::string_view piece = text.substr(at, end - at);
    const bool blank = std::all_of(piece.begin(), piece.end(), is_markup_space);
    if (piece.empty() || (at > 0 && blank && piece.size() <= kMostSpaceBytes)) return;
    parts.emplace_back().text = piece;
  };
  for (const Call& call : calls_) {
    add_text(call.begin);
    Part& part = parts.emplace_back();
    part.kind = PartKind::call;
    part.name = call.name;
    part.arguments = call.arguments;
    at = call.end;
  }
  add_text(text.size());
  return parts;
}

std::vector<Part> cleaned(std::string_view text, const DeclaredFunctions& functions) {
  Cleaning cleaning;
  cleaning.read(text, functions, true);
  return cleaning.parts(text);
}

}  // namespace splitproof::observe
