#include "harness/visible.hpp"

#include <algorithm>

#include "harness/utf8.hpp"

namespace splitproof {
namespace {

std::string escaped(unsigned char byte) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
  }
}

// True for characters that change the display or the lines of the text around them. U+061C, U+200E, U+200F,
// U+202A to U+202E and U+2066 to U+2069 change its direction. U+2028 and U+2029 end a line, and U+FEFF is a
// byte order mark.
bool moves_text(std::string_view character) {
  if (character == "\xD8\x9C" || character == "\xEF\xBB\xBF") return true;
  if (character.size() != 3 || character[0] != '\xE2') return false;
  const auto last = static_cast<unsigned char>(character[2]);
  if (character[1] == '\x80') return last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE);
  return character[1] == '\x81' && last >= 0xA6 && last <= 0xA9;
}

// True for characters that control a terminal (C0, C1 and moves_text) and for noncharacters (U+FFFE, U+FFFF).
bool is_unprintable(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return first < 0x20 || first == 0x7F ||
         (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0) || character == "\xEF\xBF\xBE" ||
         character == "\xEF\xBF\xBF" || moves_text(character);
}

}  // namespace

std::string visible(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Step step = utf8_step(bytes.substr(at));
    const std::string_view piece = bytes.substr(at, step.length);
    at += step.length;
    if (step.kind == Utf8Step::Kind::well_formed && !is_unprintable(piece)) {
      text += piece;
    } else {
      for (const char c : piece) text += escaped(static_cast<unsigned char>(c));
    }
  }
  return text;
}

std::string visible_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += visible(text.substr(0, end));
    if (end < text.size()) lines += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace splitproof
