#include "harness/import/hexadecimal.hpp"

#include <charconv>

namespace splitproof::imports {

std::optional<std::string> bytes_of_hexadecimal(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ':') ++at;
    unsigned value = 0;
    const char* begin = text.data() + at;
    if (text.size() < at + 2) return std::nullopt;
    const auto [end, failed] = std::from_chars(begin, begin + 2, value, 16);
    if (failed != std::errc() || end != begin + 2) return std::nullopt;
    bytes += static_cast<char>(value);
    at += 2;
  }
  return bytes;
}

}  // namespace splitproof::imports
