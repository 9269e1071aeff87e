#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "proxy/dialect/socket.hpp"
#include "proxy/server/kept_conversation.hpp"
#include "proxy/server/request_head.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/upstream_call.hpp"

namespace splitproof::server {

/// A message of a client: an error for it, or a request and the call to the upstream. Without both it needs no answer.
struct SocketRequest {
  std::optional<Answer> error;
  std::optional<proxy::dialect::SocketTurn> turn;
  std::optional<UpstreamCall> call;
};

/// Reads a message on a WebSocket and translates its request. `head`: of the handshake. `id`: of the request. Pure, so
/// any thread may call it.
SocketRequest socket_request(const RequestHead& head, std::string_view message, std::uint64_t id,
                             const KeptConversation& conversation, const ServerSettings& settings);

/// Returns the events of an answer without content, for a client that wants no answer of the model.
std::string empty_answer(const UpstreamCall& call);

}  // namespace splitproof::server
