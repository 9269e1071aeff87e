#pragma once

#include <string_view>

namespace splitproof::observe {

/// Returns the text without the characters in `what` at its ends.
inline std::string_view trimmed(std::string_view text, std::string_view what = " \t\r\n") {
  const std::size_t begin = text.find_first_not_of(what);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(what) + 1 - begin);
}

}  // namespace splitproof::observe
