#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace splitproof::server {

/// The address to listen on.
struct Address {
  std::string host;
  int port = 0;  ///< 0: any free port.

  bool operator==(const Address&) const = default;
};

/// Reads "HOST:PORT". An IPv6 address needs brackets. Without a host it is the loopback. The error is one sentence.
tl::expected<Address, std::string> parse_address(std::string_view text);

/// True if only programs on this machine can reach it: `localhost`, `127.*` or `::1`.
bool is_loopback(std::string_view host);

/// Returns the address in the form of a URL: "http://[::1]:8080".
std::string url_of(const Address& address);

/// Returns the URL of a path under a base URL such as "https://host/v1". The error is one sentence. Refuses credentials
/// and queries because they would end up in logs.
tl::expected<std::string, std::string> upstream_url(std::string_view base, std::string_view path);

/// Returns a base URL of a WebSocket, "ws://.." or "wss://..", with the scheme of its handshake, "http" or "https"; none
/// for other texts.
std::optional<std::string> websocket_base(std::string_view base);

}  // namespace splitproof::server
