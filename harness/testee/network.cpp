#include "harness/testee/network.hpp"

#include <sys/socket.h>

namespace splitproof::testee {
namespace {

class OwnNetwork : public Network {
 public:
  Descriptor socket(int family, int type, int protocol) const override {
    return Descriptor(::socket(family, type | SOCK_CLOEXEC, protocol));
  }
};

}  // namespace

const Network& own_network() {
  static const OwnNetwork network;
  return network;
}

}  // namespace splitproof::testee
