#include "harness/testee/offered_port.hpp"

#include <mutex>
#include <set>
#include <utility>

#include "harness/testee/readiness.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {
namespace {

constexpr int kTries = 100;

// The ports of all targets of this program.
struct TakenPorts {
  std::mutex mutex;
  std::set<std::uint16_t> numbers;
};

TakenPorts& taken_ports() {
  static TakenPorts ports;
  return ports;
}

}  // namespace

Result<OfferedPort> OfferedPort::choose(const std::string& host, const Network& network) {
  for (int tries = 0; tries < kTries; ++tries) {
    const Result<Descriptor> listener = listen_on(host, 0, network);
    if (!listener) return tl::unexpected(listener.error());
    const Result<HttpAddress> address = http_address("http://" + local_address(listener->get()), network);
    if (!address) return tl::unexpected(address.error());
    TakenPorts& taken = taken_ports();
    const std::lock_guard lock(taken.mutex);
    if (taken.numbers.insert(address->port).second) return OfferedPort(address->port);
  }
  return tl::unexpected(Error{"other targets have all free ports", {}, 0, {}});
}

OfferedPort::OfferedPort(OfferedPort&& other) noexcept : number_(std::exchange(other.number_, 0)) {}

OfferedPort& OfferedPort::operator=(OfferedPort&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

OfferedPort::~OfferedPort() {
  if (number_ == 0) return;
  TakenPorts& taken = taken_ports();
  const std::lock_guard lock(taken.mutex);
  taken.numbers.erase(number_);
}

}  // namespace splitproof::testee
