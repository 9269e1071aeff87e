#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace splitproof::testee {

/// An address at which a process accepts TCP connections.
struct ListeningPort {
  std::string host;  ///< as a URL has it, and as this machine reaches it: "127.0.0.1" or "[::1]"
  std::uint16_t port = 0;

  bool operator==(const ListeningPort&) const = default;
};

/// Returns the addresses at which the processes that descend from `root` listen, by port, each port once. /proc must show
/// their descriptors: they belong to this user.
std::vector<ListeningPort> listening_ports_of(pid_t root);

}  // namespace splitproof::testee
