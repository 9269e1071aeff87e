#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace splitproof::testee {

/// An address at which a process accepts TCP connections.
struct ListeningPort {
  std::string host;  ///< As a URL has it, and as this machine reaches it: "127.0.0.1" or "[::1]".
  std::uint16_t port = 0;

  bool operator==(const ListeningPort&) const = default;
};

/// Returns the addresses at which processes listen that descend from `root` and have `variable`, as NAME=VALUE, in their
/// environment. They are sorted by port, and each port occurs once. /proc must show the descriptors of these processes: they
/// belong to this user.
std::vector<ListeningPort> listening_ports_of(pid_t root, const std::string& variable);

}  // namespace splitproof::testee
