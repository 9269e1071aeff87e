#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace splitproof {

/// One of the letters A to Z in lower case, whatever the locale; any other byte as it is.
inline char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The text with its letters in lower case.
inline std::string lower_case(std::string text) {
  for (char& c : text) c = lower_case(c);
  return text;
}

/// Whether two texts are alike but for the case of their letters A to Z.
inline bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_case(x) == lower_case(y); });
}

}  // namespace splitproof
