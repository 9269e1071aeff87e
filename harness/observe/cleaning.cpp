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

}  // namespace

/// Next element: some bytes of text, a call, a closing wrapper, or an undecided position.
struct Cleaning::Step {
  enum class Kind : std::uint8_t { text, call, closing, wait };

  Kind kind = Kind::text;
  std::size_t end = 0;  ///< One past its last byte; while waiting, one past the bytes that are text.
  MarkupAttempt call = {};
  std::optional<TagGrammar> grammar = {};     ///< Calls in tags only.
  std::optional<std::size_t> wrapper = {};    ///< Wrapper that opens with the call.
  std::optional<FenceLine> opens_fence = {};  ///< Line of text.
  bool closes_fence = false;
  bool opens_quote = false;

  static Step of_text(std::size_t end) { return {Kind::text, end}; }
  static Step waiting(std::size_t told = 0) { return {Kind::wait, told}; }
};

void Cleaning::read(std::string_view text, const DeclaredFunctions& functions, bool whole) {
  JsonSpans spans(text);
  size_ = text.size();
  told_ = 0;
  while (at_ < size_) {
    const Step step = next(spans, functions, whole);
    told_ = step.end;
    if (step.kind == Step::Kind::wait) break;
    if (whole && step.kind == Step::Kind::text && place_.is_text())
      look_for_calls(spans, step.end, functions);
    take(step, text);
  }
  undecided_ = size_ - piece_begin_ - told_of_piece();
}

/// Returns the number of bytes of the current piece that are certainly text.
std::size_t Cleaning::told_of_piece() const {
  const std::size_t told = std::max(at_, told_);
  return is_blank_behind_call() && told == at_ ? 0 : told - piece_begin_;
}

Cleaning::Step Cleaning::next(JsonSpans& spans, const DeclaredFunctions& functions, bool whole) {
  const std::string_view text = spans.text();
  Step step = Step::of_text(at_ + 1);
  if (place_.in_fence() && place_.line_begins()) {
    step = in_fence(text, whole);
  } else if (!place_.is_text()) {
    if (place_.line_begins()) step = at_line_begin(spans, functions, whole);
    const bool plain = step.kind == Step::Kind::text && step.end == at_ + 1 && !step.opens_quote;
    if (plain && text[at_] == '<') step = at_tag(spans, functions);
  }
  // If no more text comes, or the client declared no function, an undecided call is text.
  if ((whole || functions.empty()) && step.kind == Step::Kind::wait) step = Step::of_text(at_ + 1);
  return step;
}

/// Reads a line in a fence.
Cleaning::Step Cleaning::in_fence(std::string_view text, bool whole) const {
  const FenceLine line = fence_line(text, at_);
  const bool may_close = line.begin == line.end || (line.marks > 0 && line.info.empty());
  if (line.at_end && may_close && !whole) return Step::waiting(text.size());
  Step step = Step::of_text(std::min(line.end + 1, text.size()));
  step.closes_fence = place_.closes_fence(line);
  return step;
}

Cleaning::Step Cleaning::at_line_begin(JsonSpans& spans, const DeclaredFunctions& functions, bool whole) {
  const std::string_view text = spans.text();
  const std::size_t first = std::min(text.find_first_not_of(" \t", at_), text.size());
  if (first - at_ > kMostSpaceBytes) return Step::of_text(first);
  if (first == text.size()) return whole ? Step::of_text(first) : Step::waiting();
  if (text[first] == '{') return at_line_json(spans, first, functions, whole);
  const FenceLine line = fence_line(text, at_);
  if (line.marks > 0) return at_fence(spans, line, functions, whole);
  // The byte after blanks is read separately, because it may begin a tag.
  Step step = Step::of_text(std::max(first, at_ + 1));
  step.opens_quote = text[first] == '>' && line.begin == first && first - at_ <= kDeepestIndent;
  if (step.opens_quote) step.end = first + 1;
  return step;
}

Cleaning::Step Cleaning::at_line_json(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions,
                                      bool whole) {
  const bool counts = place_.json_counts(spans.text());
  MarkupAttempt json = line_json_at(spans, begin, functions, whole);
  note_json(json, counts);
  if (!counts) return Step::of_text(begin + 1);
  if (json.state == MarkupAttempt::State::open && !whole) return Step::waiting();
  if (json.state != MarkupAttempt::State::call) return Step::of_text(begin + 1);
  return {Step::Kind::call, json.end, std::move(json)};
}

/// Reads a line that begins with backticks or tildes.
Cleaning::Step Cleaning::at_fence(JsonSpans& spans, const FenceLine& line, const DeclaredFunctions& functions,
                                  bool whole) {
  const std::string_view text = spans.text();
  const bool counts = place_.json_counts(text);
  const bool may_grow = line.at_end && line.info.empty() && !whole;
  MarkupAttempt block = fenced_json_at(spans, at_, functions, whole);
  note_json(block, counts);
  if (counts && block.state == MarkupAttempt::State::call)
    return {Step::Kind::call, block.end, std::move(block)};
  const bool too_few = line.marks < kLeastFence;
  const bool may_count =
      counts && (block.state == MarkupAttempt::State::open || (too_few && line.mark == '`'));
  if (may_grow || (may_count && !too_few && !whole)) return Step::waiting(may_count ? at_ : text.size());
  if (too_few) return Step::of_text(std::max(line.begin, at_ + 1));
  Step step = Step::of_text(std::min(line.end + 1, text.size()));
  step.opens_fence = line;
  return step;
}

void Cleaning::note_json(const MarkupAttempt& json, bool counts) {
  left_.undeclared |= counts && json.named && json.state == MarkupAttempt::State::none;
  left_.in_code |= !counts && json.state == MarkupAttempt::State::call;
}

Cleaning::Step Cleaning::at_tag(JsonSpans& spans, const DeclaredFunctions& functions) {
  const std::string_view text = spans.text();
  if (place_.explains_tag(text)) {
    look_for_calls(spans, at_ + 1, functions);
    return Step::of_text(at_ + 1);
  }
  bool may_yet = false;
  if (wrapper_ && is_blank_behind_call() && has_word(text, at_, kWrappers[*wrapper_].close, may_yet))
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
    may_yet |= found.state == MarkupAttempt::State::open;
  }
  return may_yet ? Step::waiting() : Step::of_text(at_ + 1);
}

/// Reads a call after an opening wrapper.
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
    may_yet |= found.state == MarkupAttempt::State::open;
  }
  return may_yet ? Step::waiting() : Step::of_text(at_ + 1);
}

MarkupAttempt Cleaning::attempt(JsonSpans& spans, std::size_t begin, TagGrammar grammar,
                                const DeclaredFunctions& functions) {
  MarkupAttempt found = tag_call_at(spans, begin, grammar, functions);
  left_.undeclared |= found.named && found.state == MarkupAttempt::State::none;
  left_.unclosed |= found.unclosed;
  return found;
}

/// Notes the calls that begin at a place where no call counts.
void Cleaning::look_for_calls(JsonSpans& spans, std::size_t end, const DeclaredFunctions& functions) {
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
    place_.take_call();
    wrapper_.reset();
    return;
  }
  if (step.opens_fence) place_.open_fence(*step.opens_fence);  // its own line is also code
  for (; at_ < step.end; ++at_) {
    place_.take(text, at_);
    if (is_markup_space(text[at_]) && at_ - piece_begin_ < kMostSpaceBytes) continue;
    piece_is_blank_ = false;
    wrapper_.reset();
  }
  if (step.closes_fence) place_.close_fence();
  if (step.opens_quote) place_.open_quote();
}

void Cleaning::take_call(const Step& step) {
  const bool same_wrapper =
      wrapper_ && is_blank_behind_call() && step.grammar && kWrappers[*wrapper_].stands_around(*step.grammar);
  const Span before{is_blank_behind_call() ? at_ : piece_begin_, at_};
  calls_.push_back({before, at_, step.end, step.call.name, step.call.arguments});
  if (step.wrapper || !same_wrapper) wrapper_ = step.wrapper;
  at_ = piece_begin_ = step.end;
  piece_is_blank_ = true;
  place_.take_call();
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
