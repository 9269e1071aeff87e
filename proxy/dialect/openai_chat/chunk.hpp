#pragma once

#include <string>
#include <string_view>

#include "proxy/dialect/stream_frame.hpp"
#include "proxy/limits.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// The dialect, as rows of vocabularies name it.
inline constexpr std::string_view kChat = "openai.chat";

/// What a frame is. A named event that is no chunk is somebody's extension, as a `ping` is.
StreamFrame chat_frame(const wire::Frame& frame, const Limits& limits);

/// Why a choice says it is finished, in lower case; empty where it does not.
std::string chat_finish(const wire::Json& choice);

}  // namespace splitproof::proxy::dialect
