#include "harness/testee/unknown_place.hpp"

#include <algorithm>
#include <array>

namespace splitproof::testee {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"dir", "home", "port", "upstream", "upstream_port"};

bool is_of_a_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

bool resembles_a_place(std::string_view name) {
  constexpr std::array<std::string_view, 4> kWords = {"port", "upstream", "url", "host"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return name.find(word) != name.npos; });
}

}  // namespace

std::optional<std::string> unknown_place(std::string_view text) {
  const bool is_script = text.find_first_of(" \t\n") != text.npos;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    if (at > 0 && text[at - 1] == '$') continue;
    std::size_t end = at + 1;
    while (end < text.size() && is_of_a_name(text[end])) ++end;
    if (end == text.size() || text[end] != '}' || end == at + 1) continue;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const bool is_known = std::find(kNames.begin(), kNames.end(), name) != kNames.end();
    if (!is_known && (!is_script || resembles_a_place(name))) return "{" + std::string(name) + "}";
  }
  return std::nullopt;
}

}  // namespace splitproof::testee
