#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::testee {

/// One header field as it was sent. The name keeps its case, the value has no blanks around it.
struct Header {
  std::string name;
  std::string value;

  bool operator==(const Header&) const = default;
};

/// Fields in order. A name may occur more than once.
using Headers = std::vector<Header>;

/// True if two field names are the same. ASCII letters compare without case (RFC 9110, 5.1).
bool same_name(std::string_view a, std::string_view b);

/// Returns the value of the first field with this name, or null. It lives as long as `headers`.
const std::string* find_header(const Headers& headers, std::string_view name);

/// True if a list field, such as `connection`, has this token in any of its lines, without case.
bool has_token(const Headers& headers, std::string_view name, std::string_view token);

/// True if a head must not contain the character: control characters except TAB.
inline bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

/// True if text is a token (RFC 9110, 5.6.2). Methods and field names are tokens.
bool is_token(std::string_view text);

/// Returns `text` without blanks and tabs around it.
std::string_view without_blanks(std::string_view text);

}  // namespace splitproof::testee
