#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::wire {

/// Returns the bytes of a base64 text (RFC 4648, 4) with its padding; nothing for other texts.
std::optional<std::string> from_base64(std::string_view text);

/// Returns bytes as base64 with its padding.
std::string to_base64(std::string_view bytes);

}  // namespace splitproof::wire
