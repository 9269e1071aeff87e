#pragma once

#include <string_view>

namespace splitproof {

/// Returns the message of an exception of the JSON library without the library's name: "key 'of' not found" of
/// "[json.exception.out_of_range.403] key 'of' not found".
inline std::string_view json_message(std::string_view what) {
  const std::size_t end = what.starts_with('[') ? what.find("] ") : what.npos;
  return end == what.npos ? what : what.substr(end + 2);
}

}  // namespace splitproof
