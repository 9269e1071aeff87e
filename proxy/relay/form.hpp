#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::relay {

/// Form of relayed frames: the original bytes with comments, or encoded again with one data line each.
enum class Form : std::uint8_t { raw, encode };

inline std::vector<std::pair<std::string_view, Form>> forms() {
  return {{"raw", Form::raw}, {"encode", Form::encode}};
}

}  // namespace splitproof::relay
