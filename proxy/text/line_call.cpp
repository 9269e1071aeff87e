#include "proxy/text/line_call.hpp"

#include <utility>

#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {
namespace {

constexpr std::size_t kFenceTicks = 3;
constexpr std::size_t kFenceIndent = 3;

// Reads the call in an object. Returns false if there is none.
bool take_call(std::string_view json, const Functions& functions, WrittenCall& call) {
  auto read = read_call(json, functions);
  if (!read) return false;
  call = *std::move(read);
  return true;
}

}  // namespace

Verdict JsonCall::take(char c, const HeldText& text, const Functions& functions) {
  if (stage_ == Stage::behind) {
    if (c == '\n') return Verdict::call;
    ++at_;
    return is_blank(c) && ++blanks_ <= kMostBytes ? Verdict::possible : Verdict::none;
  }
  ++at_;
  if (!object_.take(c) || at_ - object_begin_ > kMostBytes) return Verdict::none;
  if (!object_.complete()) return Verdict::possible;
  stage_ = Stage::behind;
  return take_call(text.slice(object_begin_, at_), functions, call_) ? Verdict::possible : Verdict::none;
}

Verdict FencedCall::take(char c, const HeldText& text, const Functions& functions) {
  if (c == '\n' && ends_here()) return Verdict::call;
  ++at_;
  if (!take_next(c, text, functions)) return Verdict::none;
  return stage_ == Stage::closed || at_ - fence_begin_ <= kMostBytes ? Verdict::possible : Verdict::none;
}

bool FencedCall::take_next(char c, const HeldText& text, const Functions& functions) {
  switch (stage_) {
    case Stage::ticks:
    case Stage::before_word:
    case Stage::word:
    case Stage::behind_word:
      return take_first_line(c);
    case Stage::gap:
      if (is_blank(c)) return true;
      if (c != '{') return false;
      stage_ = Stage::object;
      object_begin_ = at_ - 1;
      [[fallthrough]];
    case Stage::object:
      if (!object_.take(c)) return false;
      if (!object_.complete()) return true;
      stage_ = Stage::behind;
      return take_call(text.slice(object_begin_, at_), functions, call_);
    case Stage::behind:
    case Stage::line:
    case Stage::closing:
    case Stage::closed:
      return take_closing_line(c);
  }
  return false;
}

bool FencedCall::take_first_line(char c) {
  if (stage_ == Stage::ticks && c == '`') {
    ++ticks_;
    return true;
  }
  if (ticks_ < kFenceTicks || c == '`') return false;
  if (c == '\n') {
    stage_ = Stage::gap;
  } else if (!is_blank(c)) {
    if (stage_ == Stage::behind_word) return false;
    stage_ = Stage::word;
  } else if (stage_ == Stage::word || c == '\r') {
    stage_ = Stage::behind_word;
  } else if (stage_ == Stage::ticks) {
    stage_ = Stage::before_word;
  }
  return true;
}

bool FencedCall::take_closing_line(char c) {
  if (stage_ == Stage::closing && c == '`') {
    ++closing_;
    return true;
  }
  if (stage_ == Stage::line && c == '`' && blanks_ <= kFenceIndent) {
    stage_ = Stage::closing;
    closing_ = 1;
    return true;
  }
  if (!is_blank(c)) return false;
  if (stage_ == Stage::closing) {
    if (closing_ < ticks_) return false;
    stage_ = Stage::closed;
    blanks_ = 0;
  }
  if (stage_ == Stage::closed) return ++blanks_ <= kMostBytes;
  if (c == '\n') {
    stage_ = Stage::line;
    blanks_ = 0;
  } else {
    blanks_ += c == ' ' ? 1 : kFenceIndent + 1;
  }
  return true;
}

}  // namespace splitproof::text
