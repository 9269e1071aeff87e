#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace splitproof {

/// Returns a letter A to Z in lower case in any locale, and any other byte unchanged.
inline char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns the text in lower case.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = lower_case(c);
  return text;
}

/// True if two texts are equal apart from the case of letters A to Z.
inline bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_case(x) == lower_case(y); });
}

}  // namespace splitproof
