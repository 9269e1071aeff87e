#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof::wire {

/// Appends `text` as a JSON string, quotes included (RFC 8259, section 7). `text` is valid UTF-8, which stays
/// as it is.
void append_quoted(std::string& out, std::string_view text);

/// The same on its own.
std::string quoted(std::string_view text);

/// Appends a JSON text without the white space between its tokens; all else stays as it is written.
void append_compact(std::string& out, std::string_view json);

/// Sixteen hexadecimal digits.
std::string hex(std::uint64_t number);

}  // namespace splitproof::wire
