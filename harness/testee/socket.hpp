#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/result.hpp"
#include "harness/testee/network.hpp"

namespace splitproof::testee {

/// End of a wait. Every wait on the wire has one.
using Deadline = std::chrono::steady_clock::time_point;

/// Returns the deadline after `wait` from now.
inline Deadline within(std::chrono::milliseconds wait) { return std::chrono::steady_clock::now() + wait; }

/// Returns the deadline after this many seconds from now, never early.
inline Deadline after(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::ceil<Deadline::duration>(std::chrono::duration<double>(seconds));
}

/// True if the deadline has passed. poll(2) checks the socket first, so a wait on a socket that is always
/// ready is never late. Loops use this check instead.
inline bool has_passed(Deadline deadline) { return std::chrono::steady_clock::now() >= deadline; }

inline double seconds(Deadline from, Deadline to) { return std::chrono::duration<double>(to - from).count(); }

/// Requests a stop, from any thread or a signal handler, and wakes every wait that watches it. A stop is
/// final.
class StopToken {
 public:
  StopToken();

  /// Returns a token that a stop of `parent`, which must outlive it, also stops.
  static StopToken below(const StopToken& parent);

  void request_stop();
  int descriptor() const { return either_.get() < 0 ? event_.get() : either_.get(); }

 private:
  Descriptor event_;
  Descriptor either_;  // for tokens with a parent: readable when either of them is
};

/// Result of an operation on a socket.
enum class Io : std::uint8_t { done, late, gone, stopped };

/// Waits until `socket` is ready for the `events` of poll(2), the deadline passes (late), the other side has
/// broken the connection (gone), or a stop is requested (stopped).
Io wait_for(int socket, short events, const StopToken& stop, Deadline deadline);

/// Sleeps until the deadline (`late`), unless a stop is requested (`stopped`).
Io sleep_until(const StopToken& stop, Deadline deadline);

/// Sends all of `bytes` before the deadline. A pipe without a reader raises no signal. The socket must not
/// block.
Io send_all(int socket, std::string_view bytes, const StopToken& stop, Deadline deadline);

/// Waits for bytes and appends the result of one recv. Returns `gone` if the other side has ended or broken
/// the connection. Returns `late` after the deadline, even if there are bytes.
Io receive(int socket, std::string& bytes, const StopToken& stop, Deadline deadline);

/// Ends the connection with a reset instead of an orderly close, and discards unsent bytes.
void reset(Descriptor& socket);

/// Returns a listening TCP socket on a host (a name or an address, `localhost`, `127.0.0.1`, `::1`) and port;
/// 0 lets the kernel choose. It does not block. Child processes do not inherit it or its connections.
Result<Descriptor> listen_on(const std::string& host, std::uint16_t port,
                             const Network& network = own_network());

/// Returns the next connection as a socket that does not block and sends writes at once. Otherwise returns
/// none and sets `io` to the reason.
Descriptor accept_from(int listener, const StopToken& stop, Deadline deadline, Io& io);

/// Returns the local address of a socket as in a URL: "127.0.0.1:8080" or "[::1]:8080".
std::string local_address(int socket);

}  // namespace splitproof::testee
