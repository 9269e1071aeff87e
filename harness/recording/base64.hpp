#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::recording {

/// RFC 4648, section 4, with padding.
std::string to_base64(std::string_view bytes);

/// The bytes that to_base64() made `text` from; none for any other text: no white space, no missing padding,
/// no bits set beyond the last byte.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace splitproof::recording
