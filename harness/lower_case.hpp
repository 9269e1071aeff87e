#pragma once

#include <string>

namespace splitproof {

/// One of the letters A to Z in lower case, whatever the locale; any other byte as it is.
inline char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The text with its letters in lower case.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = lower_case(c);
  return text;
}

}  // namespace splitproof
