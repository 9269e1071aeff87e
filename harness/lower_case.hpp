#pragma once

#include <string>

namespace splitproof {

/// The text with the letters A to Z in lower case, whatever the locale.
inline std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace splitproof
