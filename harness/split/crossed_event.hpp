#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::split {

/// Maximum number of bytes of an event that is crossed in.
inline constexpr std::size_t kMostCrossed = std::size_t{1} << 16;

/// Returns an event as a short word for labels: compressed with the body as the dictionary (RFC 1950), in base64 with the
/// alphabet for names (RFC 4648, section 5) and without padding. Events of one protocol are alike, so few bytes are left.
std::string crossed_word(std::string_view event, std::string_view body);

/// Returns the event of such a word. Returns nullopt if the word was not made for this body, or the event is too long.
std::optional<std::string> crossed_event(std::string_view word, std::string_view body);

}  // namespace splitproof::split
