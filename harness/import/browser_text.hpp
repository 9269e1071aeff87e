#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::imports {

/// Returns the UTF-8 bytes that a browser decoded as Windows-1252, as Chromium does for a response without charset, and
/// then stored as UTF-8. Returns nullopt if the text cannot be the result of that, or has only ASCII.
std::optional<std::string> without_windows_1252(std::string_view text);

}  // namespace splitproof::imports
