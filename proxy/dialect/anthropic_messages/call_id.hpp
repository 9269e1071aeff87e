#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

/// An id of a call that the protocol takes: others become `toolu_x` and the hexadecimal form of their bytes, so that
/// different ids stay different.
inline std::string messages_call_id(const std::string& id) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const bool plain = !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (plain) return id;
  std::string text = "toolu_x";
  for (const unsigned char byte : id) (text += kHex[byte >> 4]) += kHex[byte & 15];
  return text;
}

}  // namespace splitproof::proxy::dialect
