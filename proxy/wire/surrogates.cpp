#include "proxy/wire/surrogates.hpp"

#include <cstddef>

namespace splitproof::wire {
namespace {

constexpr unsigned kReplacement = 0xFFFD;

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// Returns the offset of the first surrogate, or npos. ED also begins the characters from U+D000, with 80 to 9F after
// it.
std::size_t find_surrogate(std::string_view text) {
  for (std::size_t at = text.find('\xED'); at != std::string_view::npos; at = text.find('\xED', at + 1)) {
    if (at + 2 < text.size() && (byte_at(text, at + 1) & 0xE0) == 0xA0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

void append_code_point(std::string& out, unsigned code_point) {
  const auto byte = [&](unsigned value) { out.push_back(static_cast<char>(value)); };
  const auto trail = [&](unsigned shift) { byte(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) return byte(code_point);
  if (code_point < 0x800) {
    byte(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    byte(0xE0 | code_point >> 12);
    trail(6);
  } else {
    byte(0xF0 | code_point >> 18);
    trail(12);
    trail(6);
  }
  trail(0);
}

void SurrogateJoiner::feed(std::string_view piece, std::string& out) {
  while (!piece.empty()) {
    const std::size_t at = find_surrogate(piece);
    if (at != 0) {
      finish(out);
      out.append(piece.substr(0, at));
      if (at == std::string_view::npos) return;
    }
    take_surrogate(0xD000 | (byte_at(piece, at + 1) & 0x3F) << 6 | (byte_at(piece, at + 2) & 0x3F), out);
    piece.remove_prefix(at + 3);
  }
}

std::string SurrogateJoiner::take(std::string piece) {
  if (high_ == 0 && find_surrogate(piece) == std::string::npos) return piece;
  std::string out;
  feed(piece, out);
  return out;
}

void SurrogateJoiner::finish(std::string& out) {
  if (high_ != 0) append_code_point(out, kReplacement);
  high_ = 0;
}

void SurrogateJoiner::take_surrogate(unsigned surrogate, std::string& out) {
  if (is_high_surrogate(surrogate)) {
    finish(out);
    high_ = static_cast<std::uint16_t>(surrogate);
    return;
  }
  append_code_point(out, high_ != 0 ? joined(high_, surrogate) : kReplacement);
  high_ = 0;
}

std::string whole(std::string_view wtf8) {
  SurrogateJoiner pairs;
  std::string text;
  pairs.feed(wtf8, text);
  pairs.finish(text);
  return text;
}

}  // namespace splitproof::wire
