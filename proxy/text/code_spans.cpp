#include "proxy/text/code_spans.hpp"

#include "proxy/text/markup_grammar.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::text {

void CodeSpans::take(char c) {
  if (c == '\n') return end_line();
  switch (place_) {
    case Place::blank:
      if (c == ' ' || c == '\t') {
        ++indent_;
        tab_ |= c == '\t';
        return;
      }
      place_ = c == '`' && !tab_ && indent_ <= kIndent ? Place::ticks : Place::inside;
      break;
    case Place::ticks:
      if (c != '`') place_ = is_blank(c) && fence_ != 0 && !opens_ ? Place::behind_ticks : Place::inside;
      break;
    case Place::behind_ticks:
      if (!is_blank(c)) place_ = Place::inside;
      return;
    case Place::inside:
      break;
  }
  if (c != '`') return;
  if (fence_ == 0) odd_ = !odd_;
  if (place_ != Place::ticks) return;
  ++ticks_;
  if (opens_) {
    fence_ = ticks_;
  } else if (fence_ == 0 && ticks_ == kTicks) {
    opens_ = true;
    fence_ = ticks_;
  }
}

std::size_t CodeSpans::pass(std::string_view piece, std::size_t from) {
  if (!plain()) return from;
  for (std::size_t at = from; at < piece.size(); ++at) {
    const char c = piece[at];
    if (c == '<' || c == '`' || (c == '\n' && !pass_line_end(piece, at))) return at;
  }
  return piece.size();
}

bool CodeSpans::pass_line_end(std::string_view piece, std::size_t from) {
  const std::size_t next = from + 1;
  if (next >= piece.size() || !wire::is_letter(piece[next])) return false;
  end_line();
  place_ = Place::inside;
  return true;
}

void CodeSpans::end_line() {
  const bool closes =
      fence_ != 0 && !opens_ && ticks_ >= fence_ && (place_ == Place::ticks || place_ == Place::behind_ticks);
  const std::size_t fence = closes ? 0 : fence_;
  *this = {};
  fence_ = fence;
}

}  // namespace splitproof::text
