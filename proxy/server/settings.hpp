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

/// How long a connection may wait for its next request, as answers announce.
inline constexpr std::chrono::seconds kKeepAlive{60};

/// What the server as a whole may cost; what one stream may cost stands in `Limits`.
struct ServerLimits {
  std::size_t request_bytes = std::size_t{32} << 20;  ///< of a client's request body
  std::size_t answer_bytes = std::size_t{64} << 20;   ///< of a message that is not streamed, as events
  /// Of all request bodies that are not whole yet, and as much again of those that wait to be translated; never less
  /// than `request_bytes`.
  std::size_t bodies_bytes = std::size_t{128} << 20;
  std::size_t told_bytes = std::size_t{16} << 20;  ///< of items that later requests may refer to
  std::size_t streams = 256;                       ///< answered at the same time

  bool operator==(const ServerLimits&) const = default;
};

/// How requests are served. `translator.rules.limits` holds the limits of one stream.
struct ServerSettings {
  std::string upstream;               ///< where requests go, path included
  std::optional<std::uint64_t> seed;  ///< of the ids of every stream; none: another for each, at random
  Models models;
  TranslatorOptions translator;
  ServerLimits limits;
  UpstreamTimeouts timeouts;
  std::chrono::milliseconds client_timeout{60'000};  ///< for a client that sends or takes nothing
  std::chrono::milliseconds ping{15'000};            ///< longest silence inside a stream
  std::chrono::milliseconds shutdown{5'000};         ///< for streams under way when the server is to end
  bool loopback = false;                             ///< it listens on the loopback: see `refuse_web_page`
  std::string forward_proxy;  ///< the URL of a proxy on the way to the upstream; empty: there is none

  std::shared_ptr<ToldItems> told;  ///< null: references to items are refused

  bool operator==(const ServerSettings&) const = default;
};

}  // namespace splitproof::server
