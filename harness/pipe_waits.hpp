#pragma once

#include <poll.h>

#include <chrono>

namespace splitproof {

/// Maximum waits on a pipe between programs: for a program at its other end, and for this program to
/// continue.
inline constexpr std::chrono::seconds kOtherEnd{5};
inline constexpr std::chrono::seconds kOtherEndGoesOn{60};

/// True if `descriptor` is ready for `events` of poll(2), or has ended, in time. A signal ends the wait
/// early.
inline bool is_ready(int descriptor, short events, std::chrono::milliseconds wait) {
  pollfd watched{descriptor, events, 0};
  return poll(&watched, 1, static_cast<int>(wait.count())) != 0;
}

}  // namespace splitproof
