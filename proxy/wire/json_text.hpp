#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof::wire {

/// Appends `text` as a JSON string, quotes included (RFC 8259, section 7). `text` is valid UTF-8 and stays unescaped.
void append_quoted(std::string& out, std::string_view text);

/// Returns the same.
std::string quoted(std::string_view text);

/// Appends a JSON text without the white space between its tokens. All other bytes stay.
void append_compact(std::string& out, std::string_view json);

/// Returns sixteen hexadecimal digits.
std::string hex(std::uint64_t number);

}  // namespace splitproof::wire
