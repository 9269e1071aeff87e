#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "harness/result.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// Detects whether the other side of a local TCP connection has read all sent bytes. It asks the kernel about the other
/// side's socket (netlink, sock_diag(7)), so neither side needs code or rights for it. It has two steps:
///
///     write a piece |  until tcpi_bytes_received of the peer's socket equals the sent bytes:  the piece has arrived
///                   |  then, in a later query, until its idiag_rqueue is 0:                   the reader has taken it
///
/// The two values of one query are from different moments. The kernel reads the queue first, so the queue may be empty
/// because the piece has not arrived. Before it reports the second value, the kernel takes the socket's lock. So the
/// recv that took the piece is over too, and cannot return bytes of the next piece. This proves what recv returned. It
/// does not prove that the reader acted on one piece before it read the next.
class PeerSocket {
 public:
  /// Returns the other side of this connection. Returns nullopt if the kernel does not show it: it is on
  /// another machine or network, or netlink is not allowed.
  static std::optional<PeerSocket> of(int socket, const Network& network = own_network());

  /// True if the other side's socket is still open, even if its sending half was shut down. The kernel only
  /// remembers a closed socket.
  bool is_open();

  /// Waits until the peer has read all of the `sent` bytes since the connection began.
  Io wait_until_read(std::uint64_t sent, const StopToken& stop, Deadline deadline);

 private:
  struct Look {
    bool there = false;
    std::uint64_t received = 0;  // bytes that have arrived
    std::uint32_t unread = 0;    // arrived bytes that the reader has not taken
  };

  PeerSocket(Descriptor netlink, int socket, std::string question)
      : netlink_(std::move(netlink)), socket_(socket), question_(std::move(question)) {}

  std::optional<Look> look();

  Descriptor netlink_;
  int socket_;
  std::string question_;  // netlink message
  std::uint32_t sequence_ = 0;
};

/// Sends pieces of many sizes to its own reader over loopback, and compares each recv with them. An Error
/// gives the reason why read boundaries are not exact here. Takes some milliseconds.
Result<void> prove_boundaries();

}  // namespace splitproof::testee
