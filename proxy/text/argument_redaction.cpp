#include "proxy/text/argument_redaction.hpp"

#include <utility>

namespace splitproof::text {
namespace {

// Returns the ASCII character of a complete escape; a zero byte, which no path contains, for others.
char read_escape(std::string_view escape) {
  if (escape[1] != 'u')
    return std::string_view("/\\\"").find(escape[1]) == std::string_view::npos ? '\0' : escape[1];
  unsigned value = 0;
  for (const char c : escape.substr(2))
    value = value * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  return value < 0x80 ? static_cast<char>(value) : '\0';
}

}  // namespace

void ArgumentRedaction::feed(const RedactionRules& rules, std::string& text) {
  for (const char c : std::exchange(text, {})) take(rules, c, text);
}

void ArgumentRedaction::finish(std::string& out) {
  text_.finish(out);
  out += escape_;
  escape_.clear();
}

void ArgumentRedaction::take(const RedactionRules& rules, char c, std::string& out) {
  const bool was_inside = json_.in_string();
  if (!json_.lost()) json_.feed(std::string_view(&c, 1));
  if (!was_inside || !json_.in_string() || json_.in_key()) {
    if (was_inside) finish(out);
    out += c;
    return;
  }
  if (escape_.empty() && !json_.in_escape()) return text_.take(rules, c, std::string_view(&c, 1), out);
  escape_ += c;
  if (json_.in_escape()) return;
  const std::string whole = std::move(escape_);
  escape_.clear();
  text_.take(rules, read_escape(whole), whole, out);
}

}  // namespace splitproof::text
