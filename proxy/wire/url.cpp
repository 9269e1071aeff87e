#include "proxy/wire/url.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace splitproof::wire {

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned char byte = 0;
    const char* digits = text.data() + at + 1;
    const bool escape = text[at] == '%' && at + 2 < text.size() &&
                        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    decoded += escape ? static_cast<char>(byte) : text[at];
    if (escape) at += 2;
  }
  return decoded;
}

std::string query_member(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view member = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(member.size() + 1, query.size()));
    const std::size_t end = std::min(member.find('='), member.size());
    if (member.substr(0, end) == name)
      return percent_decoded(member.substr(std::min(end + 1, member.size())));
  }
  return {};
}

}  // namespace splitproof::wire
