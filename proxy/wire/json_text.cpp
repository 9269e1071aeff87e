#include "proxy/wire/json_text.hpp"

#include <cstddef>

#include "proxy/wire/ascii.hpp"

namespace splitproof::wire {

namespace {

constexpr std::string_view kHex = "0123456789abcdef";

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t plain = 0;  // start of the run not yet copied
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text.substr(plain, at - plain));
    plain = at + 1;
    switch (c) {
      case '"':
        out.append("\\\"");
        break;
      case '\\':
        out.append("\\\\");
        break;
      case '\b':
        out.append("\\b");
        break;
      case '\f':
        out.append("\\f");
        break;
      case '\n':
        out.append("\\n");
        break;
      case '\r':
        out.append("\\r");
        break;
      case '\t':
        out.append("\\t");
        break;
      default:
        out.append("\\u00");
        out.push_back(kHex[c >> 4]);
        out.push_back(kHex[c & 15]);
    }
  }
  out.append(text.substr(plain));
  out.push_back('"');
}

std::string quoted(std::string_view text) {
  std::string json;
  append_quoted(json, text);
  return json;
}

void append_compact(std::string& out, std::string_view json) {
  bool inside = false;  // inside a string
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') inside = !inside;
    if (inside && c == '\\') out.push_back(json[at++]);  // the escaped character follows
    if (inside || !is_blank(c)) out.push_back(json[at]);
  }
}

std::string hex(std::uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4) *digit = kHex[number & 15];
  return text;
}

}  // namespace splitproof::wire
