#pragma once

#include <string>
#include <string_view>

#include "proxy/dialect/stream_frame.hpp"
#include "proxy/limits.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// The dialect's name in vocabularies.
inline constexpr std::string_view kChat = "openai.chat";

/// Classifies a frame. A named event without a chunk is an extension, such as a `ping`.
StreamFrame chat_frame(const wire::Frame& frame, const Limits& limits);

/// Returns a choice's finish in lower case; empty without one.
std::string chat_finish(const wire::Json& choice);

}  // namespace splitproof::proxy::dialect
