#include "proxy/text/code_spans.hpp"

#include <utility>

#include "proxy/text/markup_grammar.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::text {

void CodeSpans::take(char c) {
  if (c == '\n') return end_line();
  const bool goes_on = std::exchange(in_run_, c == '`');
  switch (place_) {
    case Place::blank:
      if (c == ' ' || c == '\t') {
        ++indent_;
        tab_ |= c == '\t';
        return;
      }
      begin_line(c);
      break;
    case Place::marks:
      if (c != mark_) place_ = is_blank(c) && fence_ != 0 && !opens_ ? Place::behind_marks : Place::inside;
      break;
    case Place::behind_marks:
      if (!is_blank(c)) place_ = Place::inside;
      return;
    case Place::inside:
      break;
  }
  if (c == '`' && !goes_on && fence_ == 0) odd_ = !odd_;
  if (place_ != Place::marks) return;
  ++marks_;
  if (opens_) {
    fence_ = marks_;
  } else if (fence_ == 0 && marks_ == kMarks) {
    opens_ = true;
    fence_ = marks_;
    fence_mark_ = mark_;
  }
}

// Handles the first byte after the indent.
void CodeSpans::begin_line(char c) {
  place_ = Place::inside;
  if (!near()) return;
  quoted_ = c == '>' && fence_ == 0;
  if (c != '`' && c != '~') return;
  place_ = Place::marks;
  mark_ = c;
}

std::size_t CodeSpans::pass(std::string_view piece, std::size_t from) {
  if (!plain()) return from;
  std::size_t at = from;
  for (; at < piece.size(); ++at) {
    const char c = piece[at];
    if (c == '<' || c == '`' || (c == '\n' && !pass_line_end(piece, at))) break;
  }
  if (at > from) leave_run();
  return at;
}

bool CodeSpans::pass_line_end(std::string_view piece, std::size_t from) {
  const std::size_t next = from + 1;
  if (next >= piece.size() || !wire::is_letter(piece[next])) return false;
  end_line();
  place_ = Place::inside;
  return true;
}

void CodeSpans::end_line() {
  const bool closes = fence_ != 0 && !opens_ && mark_ == fence_mark_ && marks_ >= fence_ &&
                      (place_ == Place::marks || place_ == Place::behind_marks);
  const CodeSpans ended = *this;
  *this = {};
  if (closes) return;
  fence_ = ended.fence_;
  fence_mark_ = ended.fence_mark_;
}

}  // namespace splitproof::text
