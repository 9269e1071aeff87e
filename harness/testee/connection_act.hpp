#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace splitproof::testee {

/// One step of what the stand-in does on a connection once a request has come.
struct ConnectionStep {
  enum class Kind : std::uint8_t {
    write,  ///< sends `bytes`
    flood,  ///< sends `bytes` again and again, until `most` bytes were sent or `time` is over
    wait,   ///< waits until the trial releases it
    pause,  ///< does nothing for `time`
    close,  ///< closes the connection in order (FIN); no further step is done
    reset,  ///< resets the connection (RST); no further step is done
  };
  Kind kind = Kind::write;
  std::string bytes = {};
  std::size_t most = 0;
  std::chrono::milliseconds time{0};

  bool operator==(const ConnectionStep&) const = default;
};

using ConnectionSteps = std::vector<ConnectionStep>;

/// On which connections the first attempts of an act are played. Elsewhere the last attempt is played at once.
enum class ActOn : std::uint8_t {
  any,
  used,   ///< those that carried another request before
  fresh,  ///< those that did not
};

/// What the stand-in does when a client's request reaches it, as bytes and pauses. It replaces a ResponseScript where what
/// happens on the connection around the answer matters.
struct ConnectionAct {
  /// For the first time that the request comes, the second, ...; the last of them also for every further time. Never empty.
  std::vector<ConnectionSteps> attempts;
  ActOn on = ActOn::any;

  bool operator==(const ConnectionAct&) const = default;
};

/// The steps for the `attempt`-th time, from 1, that the request comes, on a connection that carries its `turn`-th request.
const ConnectionSteps& steps_for(const ConnectionAct& act, std::size_t attempt, std::size_t turn);

}  // namespace splitproof::testee
