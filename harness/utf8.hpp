#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace splitproof {

/// One step of reading UTF-8: its size and kind.
struct Utf8Step {
  enum class Kind : unsigned char {
    well_formed,  ///< One character.
    ill_formed,   ///< The maximal subpart of a character, replaced by one U+FFFD.
    truncated     ///< Ill-formed only because the bytes end: more bytes could complete the character.
  };
  std::size_t length;
  Kind kind;
};

/// Returns the first step over `bytes`, which must not be empty. Follows table 3-7 of the Unicode standard
/// and the practice of maximal subparts, like the WHATWG decoder. So it rejects overlong forms, surrogates,
/// and code points above U+10FFFF.
inline Utf8Step utf8_step(std::string_view bytes) {
  using Kind = Utf8Step::Kind;
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte_at(0);
  if (lead < 0x80) return {1, Kind::well_formed};
  if (lead < 0xC2 || lead > 0xF4) return {1, Kind::ill_formed};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  // Only the second byte's range depends on the lead byte.
  unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < length; ++i) {
    if (i == bytes.size()) return {i, Kind::truncated};
    if (byte_at(i) < low || byte_at(i) > high) return {i, Kind::ill_formed};
    low = 0x80;
    high = 0xBF;
  }
  return {length, Kind::well_formed};
}

/// True if a byte continues a character.
inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Returns the number of characters in well-formed text.
inline std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += continues_character(byte) ? 0 : 1;
  return count;
}

/// Returns the offset of the first byte that is not well-formed UTF-8, or npos.
inline std::size_t find_ill_formed_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    // Most text is ASCII, so this checks eight bytes at a time.
    std::uint64_t eight = 0;
    if (at + sizeof eight <= bytes.size()) {
      std::memcpy(&eight, bytes.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      ++at;
      continue;
    }
    const Utf8Step step = utf8_step(bytes.substr(at));
    if (step.kind != Utf8Step::Kind::well_formed) return at;
    at += step.length;
  }
  return std::string_view::npos;
}

/// Returns `bytes` as text: each maximal ill-formed part becomes U+FFFD.
inline std::string decode_utf8(std::string_view bytes) {
  const std::size_t sound = std::min(find_ill_formed_utf8(bytes), bytes.size());
  std::string text(bytes.substr(0, sound));
  bytes.remove_prefix(sound);
  while (!bytes.empty()) {
    const Utf8Step step = utf8_step(bytes);
    text += step.kind == Utf8Step::Kind::well_formed ? bytes.substr(0, step.length) : "\xEF\xBF\xBD";
    bytes.remove_prefix(step.length);
  }
  return text;
}

}  // namespace splitproof
