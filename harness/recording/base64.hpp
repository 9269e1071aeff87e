#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::recording {

/// Encodes bytes by RFC 4648, section 4, with padding.
std::string to_base64(std::string_view bytes);

/// Returns the bytes that to_base64() encodes as `text`, or nullopt. White space, missing padding and nonzero
/// trailing bits are invalid.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace splitproof::recording
