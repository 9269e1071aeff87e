#pragma once

#include <string>
#include <string_view>

namespace splitproof::wire {

/// Letters of ASCII in lower case; every other byte stays. Unlike std::tolower it asks no locale.
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

inline bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

/// What may stand between the parts of JSON (RFC 8259, 2).
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

inline std::string lowered(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = lower(c);
  return low;
}

}  // namespace splitproof::wire
