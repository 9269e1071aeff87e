#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::imports {

/// Returns the bytes of "68690a" or "68:69:0a", or nullopt if the text is something else.
std::optional<std::string> bytes_of_hexadecimal(std::string_view text);

}  // namespace splitproof::imports
