#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace splitproof::server {

/// Where to listen.
struct Address {
  std::string host;
  int port = 0;  ///< 0: one that is free

  bool operator==(const Address&) const = default;
};

/// Reads "HOST:PORT". An IPv6 address stands in brackets; without a host it is the loopback's. The error is one sentence.
tl::expected<Address, std::string> parse_address(std::string_view text);

/// Only programs on this machine reach it: `localhost`, `127.*` or `::1`.
bool is_loopback(std::string_view host);

/// The address as a URL has it: "http://[::1]:8080".
std::string url_of(const Address& address);

/// The URL of a path under a base URL such as "https://host/v1". The error is one sentence. Neither credentials nor a
/// query are taken: they would end up in logs.
tl::expected<std::string, std::string> upstream_url(std::string_view base, std::string_view path);

}  // namespace splitproof::server
