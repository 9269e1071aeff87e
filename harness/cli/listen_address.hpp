#pragma once

#include <cstdint>
#include <string>

#include "harness/result.hpp"

namespace splitproof::cli {

/// A value of --listen.
struct ListenAddress {
  std::string host;
  std::uint16_t port = 0;  ///< 0: the system chooses.

  /// True if only programs on this machine can connect.
  bool is_loopback() const { return host == "localhost" || host == "::1" || host.starts_with("127."); }
};

/// Parses HOST:PORT or [IPv6]:PORT.
Result<ListenAddress> parse_listen_address(const std::string& text);

}  // namespace splitproof::cli
