#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::text {

/// What is still there of a text that comes in pieces. Offsets are those in the text.
struct HeldText {
  std::string_view bytes;
  std::size_t begin = 0;  ///< of the bytes

  std::string_view slice(std::size_t from, std::size_t to) const {
    return bytes.substr(from - begin, to - from);
  }
};

/// What a reader of one call says of the bytes so far.
enum class Verdict : std::size_t { possible, none, call, wrapper_end };

}  // namespace splitproof::text
