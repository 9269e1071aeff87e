#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::relay {

/// How frames leave that pass: as the bytes that came, comments and all; or written anew, one line of data each.
enum class Form : std::uint8_t { raw, encode };

inline std::vector<std::pair<std::string_view, Form>> forms() {
  return {{"raw", Form::raw}, {"encode", Form::encode}};
}

}  // namespace splitproof::relay
