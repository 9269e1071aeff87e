#pragma once

#include <cstdint>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// "http://HOST:PORT/PREFIX" taken apart.
struct HttpAddress {
  std::string host;  ///< "127.0.0.1", "::1", "localhost"
  std::uint16_t port = 0;
  std::string prefix;                       ///< "/PREFIX", or empty
  const Network* network = &own_network();  ///< where it is that

  bool operator==(const HttpAddress&) const = default;
};

/// Reads a base URL; 80 is the port where it names none. An Error for any other scheme.
Result<HttpAddress> http_address(const std::string& url, const Network& network = own_network());

/// Connects, trying every address of the host. The socket does not block. None where that fails.
Descriptor connect_to(const HttpAddress& address, const StopToken& stop, Deadline deadline);

/// Whether somebody accepts connections there.
bool accepts(const HttpAddress& address, const StopToken& stop, Deadline deadline);

/// The status of the answer to a GET; 0 where there is none in time. `path` begins with '/' and follows the prefix.
int status_of_get(const HttpAddress& address, const std::string& path, const StopToken& stop,
                  Deadline deadline, const Headers& headers = {{"connection", "close"}});

}  // namespace splitproof::testee
