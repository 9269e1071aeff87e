#pragma once

#include "harness/descriptor.hpp"

namespace splitproof::testee {

/// A network in which sockets are created. Its creation decides a socket's network; any process may use it
/// afterwards.
class Network {
 public:
  virtual ~Network() = default;

  /// Creates a socket like socket(2) that is not inherited. Returns none and sets errno on failure.
  virtual Descriptor socket(int family, int type, int protocol) const = 0;
};

/// Returns this program's network.
const Network& own_network();

}  // namespace splitproof::testee
