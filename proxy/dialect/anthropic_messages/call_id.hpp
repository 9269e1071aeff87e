#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "proxy/wire/utf8.hpp"

namespace splitproof::proxy::dialect {

inline constexpr std::string_view kForeignId = "toolu_x";
inline constexpr std::string_view kIdDigits = "0123456789abcdef";

/// True if the protocol accepts a call id unchanged.
inline bool is_messages_call_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// Returns a call id that the protocol accepts. Other ids become `toolu_x` and the hexadecimal form of their bytes, so
/// that different ids stay different.
inline std::string messages_call_id(const std::string& id) {
  if (is_messages_call_id(id)) return id;
  std::string text(kForeignId);
  for (const unsigned char byte : id) (text += kIdDigits[byte >> 4]) += kIdDigits[byte & 15];
  return text;
}

/// Returns the id from which `messages_call_id` made this one, so that a call keeps its provider's id. Other ids stay
/// unchanged.
inline std::string provider_call_id(const std::string& id) {
  const std::string_view digits = std::string_view(id).substr(std::min(id.size(), kForeignId.size()));
  if (!id.starts_with(kForeignId) || digits.size() % 2 != 0) return id;
  std::string made_of;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::size_t high = kIdDigits.find(digits[i]);
    const std::size_t low = kIdDigits.find(digits[i + 1]);
    if (high == kIdDigits.npos || low == kIdDigits.npos) return id;
    made_of += static_cast<char>(high * 16 + low);
  }
  return made_of.empty() || is_messages_call_id(made_of) || !wire::is_utf8(made_of) ? id : made_of;
}

}  // namespace splitproof::proxy::dialect
