#include "proxy/request/call_markup.hpp"

#include <algorithm>

#include "proxy/wire/ascii.hpp"

namespace splitproof::request {
namespace {

constexpr std::string_view kNames[] = {"tool_call", "tool_result"};

bool is_word(char c) {
  const char low = wire::lower(c);
  return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string_view behind_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

}  // namespace

bool begins_call_markup(std::string_view text) {
  std::string_view tag = behind_blanks(text.substr(1));
  if (tag.starts_with('/')) tag = behind_blanks(tag.substr(1));
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
    return wire::lowered(tag.substr(0, name.size())) == name &&
           (tag.size() == name.size() || !is_word(tag[name.size()]));
  });
}

std::string without_call_markup(std::string_view text, std::string_view instead) {
  std::string safe;
  std::size_t copied = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (!begins_call_markup(text.substr(at))) continue;
    safe.append(text.substr(copied, at - copied)).append(instead);
    copied = at + 1;
  }
  return safe.append(text.substr(copied));
}

}  // namespace splitproof::request
