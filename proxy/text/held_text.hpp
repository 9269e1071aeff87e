#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::text {

/// The remaining part of a text in pieces. Offsets count from the start of the text.
struct HeldText {
  std::string_view bytes;
  std::size_t begin = 0;  ///< of the bytes

  std::string_view slice(std::size_t from, std::size_t to) const {
    return bytes.substr(from - begin, to - from);
  }
};

/// State of a reader of one call after the bytes so far.
enum class Verdict : std::size_t { possible, none, call, wrapper_end };

}  // namespace splitproof::text
