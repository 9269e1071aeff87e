#pragma once

#include <cstdint>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// Parts of "http://HOST:PORT/PREFIX".
struct HttpAddress {
  std::string host;  ///< "127.0.0.1", "::1", "localhost".
  std::uint16_t port = 0;
  std::string prefix;                       ///< "/PREFIX", or empty.
  const Network* network = &own_network();  ///< Network of the address.

  bool operator==(const HttpAddress&) const = default;
};

/// Reads a base URL with default port 80. Returns an Error for any other scheme.
Result<HttpAddress> http_address(const std::string& url, const Network& network = own_network());

/// Connects, and tries every address of the host. The socket does not block. Returns none on failure.
Descriptor connect_to(const HttpAddress& address, const StopToken& stop, Deadline deadline);

/// True if a connection to the address is accepted.
bool accepts(const HttpAddress& address, const StopToken& stop, Deadline deadline);

/// Returns the status of the answer to a GET, or 0 without an answer in time. `path` begins with '/' and
/// follows the prefix.
int status_of_get(const HttpAddress& address, const std::string& path, const StopToken& stop,
                  Deadline deadline, const Headers& headers = {{"connection", "close"}});

}  // namespace splitproof::testee
