#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "harness/result.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// Whether the other side of a TCP connection on this machine has read what was sent to it. The kernel is asked about
/// the other side's socket (netlink, sock_diag(7)), so neither side has to do anything for it, and no right is needed.
/// It takes two steps:
///
///     write a piece |  until tcpi_bytes_received of the peer's socket is all that was sent:  the piece has arrived
///                   |  then, in a later query, until its idiag_rqueue is 0:                  the reader has taken it
///
/// In one query the two figures are of different moments: the kernel looks at the queue first, so it may be empty
/// because the piece has not come yet. Before it reports the second figure it takes the socket's lock, so by the
/// answer the recv that took the piece is over as well, and cannot take the beginning of the next along. What is
/// proved is what recv returned, not that the reader acted on one piece before it read another.
class PeerSocket {
 public:
  /// The other side of this connection. None where the kernel does not show it: the other side is on another machine or
  /// on another network, or netlink may not be used.
  static std::optional<PeerSocket> of(int socket, const Network& network = own_network());

  /// Whether the other side's socket is still open. One that was closed is only remembered by the kernel, unlike one whose
  /// sending half was shut down.
  bool is_open();

  /// Waits until the peer has read all of the `sent` bytes that were written since the connection began.
  Io wait_until_read(std::uint64_t sent, const StopToken& stop, Deadline deadline);

 private:
  struct Look {
    bool there = false;
    std::uint64_t received = 0;  // bytes that have arrived
    std::uint32_t unread = 0;    // of these, not taken by the reader
  };

  PeerSocket(Descriptor netlink, int socket, std::string question)
      : netlink_(std::move(netlink)), socket_(socket), question_(std::move(question)) {}

  std::optional<Look> look();

  Descriptor netlink_;
  int socket_;
  std::string question_;  // as netlink takes it
  std::uint32_t sequence_ = 0;
};

/// Sends pieces of many sizes to a reader of its own, over loopback, and compares what each recv returned with what was
/// sent. An Error says why read boundaries cannot be made exact here. Takes some milliseconds.
Result<void> prove_boundaries();

}  // namespace splitproof::testee
