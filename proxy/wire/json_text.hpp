#pragma once

#include <string>
#include <string_view>

namespace splitproof::wire {

/// Appends `text` as a JSON string, quotes included (RFC 8259, section 7). `text` is valid UTF-8, which stays
/// as it is.
void append_quoted(std::string& out, std::string_view text);

}  // namespace splitproof::wire
