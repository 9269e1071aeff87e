#include "harness/testee/http_header.hpp"

#include <algorithm>

#include "harness/lower_case.hpp"

namespace splitproof::testee {
namespace {

bool is_token_character(char c) {
  return (c >= '0' && c <= '9') || (lower_case(c) >= 'a' && lower_case(c) <= 'z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) { return same_but_for_case(a, b); }

const std::string* find_header(const Headers& headers, std::string_view name) {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const Header& header) { return same_name(header.name, name); });
  return found == headers.end() ? nullptr : &found->value;
}

bool has_token(const Headers& headers, std::string_view name, std::string_view token) {
  for (const Header& header : headers) {
    if (!same_name(header.name, name)) continue;
    std::string_view rest = header.value;
    while (true) {
      const std::size_t comma = rest.find(',');
      if (same_name(without_blanks(rest.substr(0, comma)), token)) return true;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return false;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace splitproof::testee
