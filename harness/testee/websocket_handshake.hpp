#pragma once

#include <string>
#include <string_view>

#include "harness/testee/http_header.hpp"
#include "harness/testee/http_request.hpp"
#include "harness/testee/socket_event.hpp"

namespace splitproof::testee {

/// Returns the Sec-WebSocket-Accept for a Sec-WebSocket-Key (RFC 6455, 4.2.2): the SHA-1 of the key and a fixed text,
/// in base64.
std::string accept_key(std::string_view key);

/// True if a request asks for a WebSocket.
bool asks_for_websocket(const UpstreamRequest& request);

/// Returns the head of the response that accepts a handshake. It accepts no extension and no subprotocol.
std::string accepting_head(const UpstreamRequest& request);

/// Returns the fact about the testee's own handshake with its upstream. contracts/specifications/websocket.md lists the
/// members. The key is right if it has 16 bytes in base64.
SocketEvent handshake_of_request(const UpstreamRequest& request);

/// Returns the fact about the testee's answer to a handshake with this key.
SocketEvent handshake_of_response(int status, const Headers& headers, std::string_view key);

}  // namespace splitproof::testee
