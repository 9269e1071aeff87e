#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/descriptor.hpp"
#include "harness/result.hpp"
#include "harness/testee/network.hpp"

namespace splitproof::testee {

/// When a wait is given up. Every wait on the wire has one.
using Deadline = std::chrono::steady_clock::time_point;

/// So long from now.
inline Deadline within(std::chrono::milliseconds wait) { return std::chrono::steady_clock::now() + wait; }

/// poll(2) looks at the socket first: where something is always ready, no wait is ever late. So a loop asks this.
inline bool has_passed(Deadline deadline) { return std::chrono::steady_clock::now() >= deadline; }

inline double seconds(Deadline from, Deadline to) { return std::chrono::duration<double>(to - from).count(); }

/// Asks for a stop, from any thread or a signal handler: wakes every wait that watches it. A stop is never taken back.
class StopToken {
 public:
  StopToken();

  /// A stop of `parent`, which must outlive this, is one of this token too.
  static StopToken below(const StopToken& parent);

  void request_stop();
  int descriptor() const { return either_.get() < 0 ? event_.get() : either_.get(); }

 private:
  Descriptor event_;
  Descriptor either_;  // of one below another: readable when either of them is
};

/// What became of an operation on a socket.
enum class Io : std::uint8_t { done, late, gone, stopped };

/// Waits until `socket` is ready for what `events` of poll(2) ask for, the deadline passes (late), the other side has
/// broken the connection (gone), or a stop is requested (stopped).
Io wait_for(int socket, short events, const StopToken& stop, Deadline deadline);

/// Sleeps until the deadline, unless a stop is requested: `late` or `stopped`.
Io sleep_until(const StopToken& stop, Deadline deadline);

/// Sends all of `bytes`; a pipe that nobody reads raises no signal. The socket must not block. The deadline is for all of them.
Io send_all(int socket, std::string_view bytes, const StopToken& stop, Deadline deadline);

/// Waits for bytes and appends what one recv gives. `gone` where the other side has ended or broken the connection. `late`
/// behind the deadline, even if there are bytes.
Io receive(int socket, std::string& bytes, const StopToken& stop, Deadline deadline);

/// Ends the connection with a reset instead of an orderly close, and discards what was not sent yet.
void reset(Descriptor& socket);

/// A listening TCP socket on a host (a name or an address, `localhost`, `127.0.0.1`, `::1`) and port; 0 lets the kernel
/// choose. It does not block, and neither it nor what it accepts is inherited by child processes.
Result<Descriptor> listen_on(const std::string& host, std::uint16_t port,
                             const Network& network = own_network());

/// The next connection: a socket that does not block and sends at once what is written. None where the wait ended
/// otherwise; `io` says how.
Descriptor accept_from(int listener, const StopToken& stop, Deadline deadline, Io& io);

/// The local address of a socket as a URL writes it: "127.0.0.1:8080" or "[::1]:8080".
std::string local_address(int socket);

}  // namespace splitproof::testee
