#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace splitproof::testee {

/// One step of the stand-in on a connection, after a request.
struct ConnectionStep {
  enum class Kind : std::uint8_t {
    write,  ///< Sends `bytes`.
    flood,  ///< Sends `bytes` repeatedly, until `most` bytes were sent or `time` is over.
    wait,   ///< Waits until the trial releases it.
    pause,  ///< Does nothing for `time`.
    close,  ///< Closes the connection in order (FIN); the last step.
    reset,  ///< Resets the connection (RST); the last step.
  };
  Kind kind = Kind::write;
  std::string bytes = {};
  std::size_t most = 0;
  std::chrono::milliseconds time{0};

  bool operator==(const ConnectionStep&) const = default;
};

using ConnectionSteps = std::vector<ConnectionStep>;

/// Connections on which the first attempts of an act are played. On others, the last attempt is played at
/// once.
enum class ActOn : std::uint8_t {
  any,
  used,   ///< Connections that carried another request before.
  fresh,  ///< Connections that did not.
};

/// Bytes and pauses with which the stand-in reacts to a client's request. It replaces a ResponseScript if
/// events on the connection around the answer matter.
struct ConnectionAct {
  /// Steps for the first arrival of the request, the second, and so on. The last ones also apply to all later
  /// arrivals. Never empty.
  std::vector<ConnectionSteps> attempts;
  ActOn on = ActOn::any;

  bool operator==(const ConnectionAct&) const = default;
};

/// Returns the steps for the `attempt`-th arrival of the request, from 1, on a connection that carries its
/// `turn`-th request.
const ConnectionSteps& steps_for(const ConnectionAct& act, std::size_t attempt, std::size_t turn);

}  // namespace splitproof::testee
