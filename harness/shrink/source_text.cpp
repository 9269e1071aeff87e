#include "harness/shrink/source_text.hpp"

#include <fmt/format.h>

#include "harness/utf8.hpp"
#include "harness/visible.hpp"

namespace splitproof::shrink {
namespace {

// vitest searches the whole file for these, including strings, and loads the package after them.
bool is_directive(std::string_view text) {
  return text.starts_with("@vitest-") || text.starts_with("@jest-");
}

// Returns the code point of a character of at most three bytes. `visible` escapes no longer ones.
unsigned code_point(std::string_view character) {
  unsigned value = static_cast<unsigned char>(character[0]);
  if (character.size() == 2) value &= 0x1FU;
  if (character.size() == 3) value &= 0x0FU;
  for (const char c : character.substr(1)) value = value << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return value;
}

}  // namespace

std::string string_literal(std::string_view text) {
  const std::string sound = decode_utf8(text);
  std::string literal = "\"";
  for (std::size_t at = 0; at < sound.size();) {
    const std::string_view rest = std::string_view(sound).substr(at);
    const std::string_view character = rest.substr(0, utf8_step(rest).length);
    at += character.size();
    if (character == "\"" || character == "\\") {
      literal.append("\\").append(character);
    } else if (is_directive(rest)) {
      literal += "\\x40";
    } else if (visible(character) == character) {
      literal += character;
    } else if (character == "\n" || character == "\r" || character == "\t") {
      literal += visible(character);
    } else if (character.size() == 1) {
      literal += fmt::format("\\x{:02x}", code_point(character));
    } else {
      literal += fmt::format("\\u{:04x}", code_point(character));
    }
  }
  return literal + "\"";
}

std::string comment_text(std::string_view text) {
  std::string shown = visible(text);
  for (std::size_t at = 0; (at = shown.find('@', at)) != shown.npos; ++at)
    if (is_directive(std::string_view(shown).substr(at))) shown.insert(at + 1, " ");
  return shown;
}

}  // namespace splitproof::shrink
