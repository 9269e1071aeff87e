#pragma once

#include "harness/descriptor.hpp"

namespace splitproof::testee {

/// On which sockets are made. Where a socket belongs is decided when it is made; whoever has it may use it from anywhere.
class Network {
 public:
  virtual ~Network() = default;

  /// As socket(2), and not inherited. None where there is none, and errno says why.
  virtual Descriptor socket(int family, int type, int protocol) const = 0;
};

/// That of this program.
const Network& own_network();

}  // namespace splitproof::testee
