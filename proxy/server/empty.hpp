#pragma once

#include <cstddef>
#include <string>

namespace splitproof::server {

/// Takes all out of a buffer, and its memory if that is much: a connection that waits holds little.
inline void empty(std::string& buffer) {
  constexpr std::size_t kKept = 4096;
  if (buffer.capacity() > kKept)
    buffer = {};
  else
    buffer.clear();
}

}  // namespace splitproof::server
