#pragma once

#include <poll.h>

#include <chrono>

namespace splitproof {

/// How long a pipe between programs is waited for: for somebody at its other end, and for that one to go on.
inline constexpr std::chrono::seconds kOtherEnd{5};
inline constexpr std::chrono::seconds kOtherEndGoesOn{60};

/// Whether `descriptor` is ready for `events` of poll(2), or has ended, in time. A signal ends the wait early.
inline bool is_ready(int descriptor, short events, std::chrono::milliseconds wait) {
  pollfd watched{descriptor, events, 0};
  return poll(&watched, 1, static_cast<int>(wait.count())) != 0;
}

}  // namespace splitproof
