#pragma once

#include <string>
#include <string_view>

#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// What readers of all dialects have in common.

/// A text, or a whole number's digits, in UTF-8; empty of anything else.
std::string scalar_of(const wire::Json& value);

/// At most 2000 bytes, cut at a character.
std::string shortened(std::string text);

/// What an error says: itself, if it is a text, or its `message` or `detail`. Never empty.
std::string message_of(const wire::Json& error);

/// Content that nobody knows. An answer may lack it if it has other content.
turn::Unplaced unknown_content();

/// Text without JSON's white space around it.
std::string_view trimmed(std::string_view text);

/// Why a frame is no JSON object: "nests deeper than 128 levels". Empty if it is one.
std::string why_unreadable(const wire::Frame& frame, const wire::JsonDocument& document,
                           const Limits& limits);

}  // namespace splitproof::proxy::dialect
