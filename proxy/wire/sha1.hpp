#pragma once

#include <string>
#include <string_view>

namespace splitproof::wire {

/// Returns the 20 bytes of SHA-1 (RFC 3174). The handshake of WebSocket needs it; nothing here relies on its security.
std::string sha1(std::string_view text);

}  // namespace splitproof::wire
