#pragma once

#include <string>
#include <string_view>

namespace splitproof::wire {

/// Returns an ASCII letter in lower case; other bytes stay. Unlike std::tolower it ignores the locale.
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

inline bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

/// True for white space between the parts of JSON (RFC 8259, 2).
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

inline std::string lowered(std::string_view text) {
  std::string low(text);
  for (char& c : low) c = lower(c);
  return low;
}

}  // namespace splitproof::wire
