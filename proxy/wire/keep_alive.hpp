#pragma once

#include <string_view>

namespace splitproof::wire {

/// What keeps a silent event stream alive where its protocol has no event for it: a comment.
inline constexpr std::string_view kKeepAlive = ": keep-alive\n\n";

}  // namespace splitproof::wire
