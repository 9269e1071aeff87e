#pragma once

#include <cstddef>
#include <string>

namespace splitproof::wire {

/// Takes all out of a buffer, and its memory if that is much: a stream that waits holds little.
inline void empty(std::string& buffer) {
  constexpr std::size_t kKept = 512;
  if (buffer.capacity() > kKept)
    std::string().swap(buffer);  // to assign an empty string would keep the memory
  else
    buffer.clear();
}

}  // namespace splitproof::wire
