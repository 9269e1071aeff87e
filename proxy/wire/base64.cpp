#include "proxy/wire/base64.hpp"

#include <cstddef>
#include <cstdint>

namespace splitproof::wire {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(padding);
  std::string bytes;
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    held = held << 6U | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFFU);
  }
  return bytes;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char c : bytes) {
    held = held << 8U | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) text += kDigits[held >> (bits - 6) & 0x3FU];
  }
  if (bits > 0) text += kDigits[held << (6 - bits) & 0x3FU];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

}  // namespace splitproof::wire
