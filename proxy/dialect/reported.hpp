#pragma once

#include <string>
#include <string_view>

#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// Helpers for errors in all dialects.

/// Returns a text, or the digits of a whole number, in UTF-8; empty for other values.
std::string scalar_of(const wire::Json& value);

/// Cuts a text to at most 2000 bytes, between characters.
std::string shortened(std::string text);

/// Returns an error's message: its text, `message` or `detail`. Never empty.
std::string message_of(const wire::Json& error);

/// Content that nobody knows. An answer may lack it if it has other content.
turn::Unplaced unknown_content();
/// Returns a text without JSON's white space around it.
std::string_view trimmed(std::string_view text);

/// Returns why a frame is not a JSON object: "nests deeper than 128 levels". Empty if it is one.
std::string why_unreadable(const wire::Frame& frame, const wire::JsonDocument& document,
                           const Limits& limits);

}  // namespace splitproof::proxy::dialect
