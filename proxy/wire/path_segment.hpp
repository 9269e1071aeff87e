#pragma once

#include <string>
#include <string_view>

#include "proxy/wire/ascii.hpp"

namespace splitproof::wire {

/// Returns a text as one segment of a URL's path: all characters with a meaning are percent-encoded (RFC 3986, 2.3),
/// except those of `kept`.
inline std::string path_segment(std::string_view text, std::string_view kept = {}) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string segment;
  for (const char c : text) {
    const bool plain = is_letter(c) || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos ||
                       kept.find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    if (plain)
      segment += c;
    else
      segment.append({'%', kHex[byte >> 4], kHex[byte & 15]});
  }
  return segment;
}

}  // namespace splitproof::wire
