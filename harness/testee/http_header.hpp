#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::testee {

/// One field of an HTTP message's head, as it was sent: the name's case is kept, the value has no blanks around it.
struct Header {
  std::string name;
  std::string value;

  bool operator==(const Header&) const = default;
};

/// The fields in their order. A name may occur more than once.
using Headers = std::vector<Header>;

/// Whether two names of fields mean the same: ASCII letters compare without case (RFC 9110, 5.1).
bool same_name(std::string_view a, std::string_view b);

/// The value of the first field of that name; null where there is none. It lives as long as `headers`.
const std::string* find_header(const Headers& headers, std::string_view name);

/// Whether a field that is a list, such as `connection`, has this token in it, in any of its lines and without case.
bool has_token(const Headers& headers, std::string_view name, std::string_view token);

/// Whether a character may not stand in a head: control characters, but for TAB.
inline bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

/// Whether text is a token of RFC 9110, 5.6.2: what methods and names of fields are made of.
bool is_token(std::string_view text);

/// `text` without the blanks and tabs around it.
std::string_view without_blanks(std::string_view text);

}  // namespace splitproof::testee
