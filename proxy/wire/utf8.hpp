#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::wire {

/// Returns the size in bytes of the non-ASCII character at `at` (RFC 3629); 0 if invalid.
inline std::size_t character_size(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned lead = byte(0);
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  // The second byte excludes overlong forms, surrogates, and values beyond U+10FFFF.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (lead < 0xC2 || lead > 0xF4 || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return size;
}

inline bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = static_cast<unsigned char>(text[at]) < 0x80 ? 1 : character_size(text, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

}  // namespace splitproof::wire
