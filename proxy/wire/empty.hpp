#pragma once

#include <cstddef>
#include <string>

namespace splitproof::wire {

/// Clears a buffer and frees its memory if that is large, so that a waiting stream holds little.
inline void empty(std::string& buffer) {
  constexpr std::size_t kKept = 512;
  if (buffer.capacity() > kKept)
    std::string().swap(buffer);  // assigning an empty string would keep the memory
  else
    buffer.clear();
}

}  // namespace splitproof::wire
