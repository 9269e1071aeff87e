#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof {

/// Returns the place of the first CR or LF at or after `begin`, or the size of the text without one. It is faster than
/// find_first_of, which searches the set once for each byte.
inline std::size_t find_line_end(std::string_view text, std::size_t begin = 0) {
  while (begin < text.size() && text[begin] != '\r' && text[begin] != '\n') ++begin;
  return begin < text.size() ? begin : text.size();
}

}  // namespace splitproof
