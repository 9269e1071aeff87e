#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "proxy/server/models.hpp"
#include "proxy/server/told_items.hpp"
#include "proxy/server/transfer.hpp"
#include "proxy/translator.hpp"

namespace splitproof::server {

/// Time that a connection may wait for its next request. Answers announce it.
inline constexpr std::chrono::seconds kKeepAlive{60};

/// Limits of the whole server. `Limits` has those of one stream.
struct ServerLimits {
  std::size_t request_bytes = std::size_t{32} << 20;  ///< Largest body of a client's request.
  std::size_t answer_bytes = std::size_t{64} << 20;   ///< Largest message that is not streamed, as events.
  /// For all incomplete request bodies together, and the same again for bodies that wait for translation. At least
  /// `request_bytes`.
  std::size_t bodies_bytes = std::size_t{128} << 20;
  std::size_t told_bytes = std::size_t{16} << 20;  ///< For items that later requests may refer to.
  /// For the conversations of all WebSocket connections.
  std::size_t conversation_bytes = std::size_t{128} << 20;
  std::size_t streams = 256;  ///< Streams open at the same time.

  bool operator==(const ServerLimits&) const = default;
};

/// The answer to clients that ask for a WebSocket where their protocol has one.
enum class WebSockets : std::uint8_t { accept, refuse };

inline proxy::dialect::NamedValues<WebSockets> ways_with_websockets() {
  return {{"accept", WebSockets::accept}, {"refuse", WebSockets::refuse}};
}

/// Settings of the server. `translator.rules.limits` holds the limits of one stream.
struct ServerSettings {
  std::string upstream;  ///< URL of requests, path included. If the path depends on the model, the base URL.
  bool upstream_socket = false;  ///< Requests go over a WebSocket at that URL, if the upstream has one.
  std::optional<std::uint64_t>
      seed;  ///< Seed for the ids of every stream. Random for each stream if none is set.
  Models models;
  TranslatorOptions translator;
  ServerLimits limits;
  UpstreamTimeouts timeouts;
  std::chrono::milliseconds client_timeout{60'000};  ///< For a client that neither sends nor takes bytes.
  std::chrono::milliseconds ping{15'000};            ///< Longest silence inside a stream.
  std::chrono::milliseconds shutdown{5'000};         ///< Time for open streams when the server ends.
  WebSockets websockets = WebSockets::accept;
  std::chrono::milliseconds websocket_age{3'600'000};  ///< Longest life of a client's WebSocket.
  bool loopback = false;      ///< The server listens on the loopback; see `refuse_web_page`.
  std::string forward_proxy;  ///< URL of a proxy on the way to the upstream. Empty without such a proxy.

  std::shared_ptr<ToldItems> told;  ///< If null, references to items are refused.

  bool operator==(const ServerSettings&) const = default;
};

}  // namespace splitproof::server
