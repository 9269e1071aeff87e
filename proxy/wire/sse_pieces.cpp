#include "proxy/wire/sse_pieces.hpp"

namespace splitproof::wire {

SsePieces::Piece SsePieces::take(std::string_view bytes) {
  std::size_t at = 0;
  if (after_cr_ && !bytes.empty()) {
    after_cr_ = false;
    at = bytes.front() == '\n' ? 1 : 0;
    if (at == 1 && at_head_) return {at, true};
  }
  for (; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (c != '\n' && c != '\r') {
      if (line_ == Line::empty) line_ = c == ':' ? Line::comment : Line::field;
      continue;
    }
    if (c == '\r') {
      after_cr_ = at + 1 == bytes.size();
      if (!after_cr_ && bytes[at + 1] == '\n') ++at;
    }
    at_head_ = line_ == Line::empty || (line_ == Line::comment && at_head_);
    line_ = Line::empty;
    if (at_head_) return {at + 1, true};
  }
  return {bytes.size(), false};
}

}  // namespace splitproof::wire
