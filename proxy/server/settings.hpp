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
  std::size_t request_bytes = std::size_t{32} << 20;  ///< for a client's request body
  std::size_t answer_bytes = std::size_t{64} << 20;   ///< for a message that is not streamed, as events
  /// For all incomplete request bodies together, and the same again for those that wait for translation. At least
  /// `request_bytes`.
  std::size_t bodies_bytes = std::size_t{128} << 20;
  std::size_t told_bytes = std::size_t{16} << 20;  ///< for items that later requests may refer to
  std::size_t streams = 256;                       ///< open at the same time

  bool operator==(const ServerLimits&) const = default;
};

/// Settings of the server. `translator.rules.limits` holds the limits of one stream.
struct ServerSettings {
  std::string upstream;               ///< URL of requests, path included
  std::optional<std::uint64_t> seed;  ///< for the ids of every stream; none: random for each
  Models models;
  TranslatorOptions translator;
  ServerLimits limits;
  UpstreamTimeouts timeouts;
  std::chrono::milliseconds client_timeout{60'000};  ///< for a client that sends or takes nothing
  std::chrono::milliseconds ping{15'000};            ///< longest silence inside a stream
  std::chrono::milliseconds shutdown{5'000};         ///< time for open streams when the server ends
  bool loopback = false;                             ///< it listens on the loopback: see `refuse_web_page`
  std::string forward_proxy;  ///< URL of a proxy on the way to the upstream; empty: none

  std::shared_ptr<ToldItems> told;  ///< null: references to items are refused

  bool operator==(const ServerSettings&) const = default;
};

}  // namespace splitproof::server
