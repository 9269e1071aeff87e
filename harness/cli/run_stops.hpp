#pragma once

#include <array>
#include <csignal>
#include <thread>

#include "harness/testee/socket.hpp"

namespace splitproof::cli {

/// The signal that ended the run; 0: none.
extern volatile std::sig_atomic_t caught_signal;

/// Catches SIGINT, SIGTERM and SIGHUP. The first signal requests a stop, so that the finished part is reported. A
/// second one ends the program at once. An ignored signal stays ignored: under nohup a run outlives its terminal.
class SignalsCaught {
 public:
  explicit SignalsCaught(testee::StopToken& stop);
  ~SignalsCaught();
  SignalsCaught(const SignalsCaught&) = delete;
  SignalsCaught& operator=(const SignalsCaught&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
};

/// Requests a stop at a time, unless it is destroyed earlier. Exchanges in flight are abandoned, as after a
/// signal.
class Alarm {
 public:
  Alarm(testee::StopToken& stop, testee::Deadline at);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  testee::StopToken destroyed_;
  std::thread thread_;
};

}  // namespace splitproof::cli
