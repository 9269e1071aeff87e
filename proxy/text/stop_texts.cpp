#include "proxy/text/stop_texts.hpp"

#include <cstddef>
#include <utility>

namespace splitproof::text {

std::optional<std::string> StopTexts::feed(const WantedTexts& wanted, std::string& text) {
  if (held_.empty() && wanted.find_begin(text) == text.size()) return std::nullopt;
  const std::string read = std::exchange(text, {});
  std::string_view piece = read;
  while (!piece.empty()) {
    if (held_.empty()) {
      const std::size_t plain = wanted.find_begin(piece);
      text.append(piece, 0, plain);
      piece.remove_prefix(plain);
      if (piece.empty()) break;
    }
    const char c = piece.front();
    piece.remove_prefix(1);
    const std::size_t ended = search_.take(wanted, c);
    held_ += c;
    const std::size_t certain = held_.size() - (ended != 0 ? ended : search_.pending());
    text.append(held_, said_, certain - said_);
    if (ended == 0) {
      forget(certain);
      continue;
    }
    search_.restart();
    std::string stopped_at = held_.substr(certain);
    forget(held_.size());
    return stopped_at;
  }
  return std::nullopt;
}

void StopTexts::finish(std::string& out) {
  search_.restart();
  out.append(held_, said_);
  forget(held_.size());
}

// Erases sent text only if it is the larger part: erasing at every byte would take quadratic time.
void StopTexts::forget(std::size_t said) {
  said_ = said;
  if (said_ <= held_.size() / 2 && said_ < held_.size()) return;
  held_.erase(0, said_);
  said_ = 0;
}

}  // namespace splitproof::text
