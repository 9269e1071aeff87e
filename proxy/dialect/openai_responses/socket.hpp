#pragma once

#include "proxy/dialect/socket.hpp"

namespace splitproof::proxy::dialect {

/// Responses over WebSocket, by OpenAI's guide "WebSocket mode" and Codex's client: a request is a message
/// `{"type":"response.create",..}` with the members of a posted request, and each message back is an event. Requests
/// may name the answer that they continue (`previous_response_id`), or only prepare the next one (`generate: false`).
extern const Socket kResponsesSocket;

}  // namespace splitproof::proxy::dialect
