#pragma once

#include <string_view>

namespace splitproof::wire {

/// Keep-alive for a silent event stream without an event for it: a comment.
inline constexpr std::string_view kKeepAlive = ": keep-alive\n\n";

}  // namespace splitproof::wire
