#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/request_head.hpp"
#include "proxy/server/response_reader.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/transfer.hpp"

namespace splitproof::server {

/// True if a request asks for a WebSocket at a path whose protocol has one, and the server offers it.
bool asks_for_websocket(const RequestHead& head, const ServerSettings& settings);

/// A refused upgrade, and the header fields that it needs, each with its line end.
struct WebSocketRefusal {
  RequestFault fault;
  std::string fields;
};

/// Returns why such a request cannot be upgraded (RFC 6455, 4.2.1); none if it can. Browsers let every page open a
/// WebSocket to every host, so the origin of a page has to be this server (10.2).
std::optional<WebSocketRefusal> refuse_websocket(const RequestHead& head, bool loopback);

/// Returns the head of the answer that accepts the upgrade. It accepts no extension and no subprotocol (4.2.2).
std::string websocket_answer(const RequestHead& head);

/// A client's side of the handshake: the request, and the one answer that accepts it.
struct WebSocketOffer {
  std::string request;  ///< Head of the request.
  std::string accept;   ///< Expected `Sec-WebSocket-Accept`.
};

/// Returns a handshake with a new random key. `fields`: other lines of the head.
WebSocketOffer websocket_offer(const UpstreamAddress& address, const std::vector<std::string>& fields);

/// True if an answer with status 101 accepts the offer (4.1). No extension and no subprotocol was offered.
bool accepts(const WebSocketOffer& offer, const SwitchedHead& head);

}  // namespace splitproof::server
