#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// Returns the length of the longest suffix of `text` that is a proper prefix of `word`.
inline std::size_t partial_suffix_match(std::string_view text, std::string_view word) {
  if (word.empty()) return 0;
  std::size_t length = std::min(text.size(), word.size() - 1);
  while (!text.ends_with(word.substr(0, length))) --length;
  return length;
}

}  // namespace splitproof::observe
