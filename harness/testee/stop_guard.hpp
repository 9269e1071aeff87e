#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>

namespace splitproof::testee {

/// Timers of the kernel that send SIGCONT to this process. It goes on within a second after somebody has stopped it. Each
/// SIGCONT has to be received, by signalfd(2) or sigwait(3). There are two timers, because a stop that comes before a SIGCONT is
/// received ends the timer that sent it. They last as long as this value.
class ContinuingTimers {
 public:
  ContinuingTimers();
  ~ContinuingTimers();
  ContinuingTimers(const ContinuingTimers&) = delete;
  ContinuingTimers& operator=(const ContinuingTimers&) = delete;

 private:
  std::array<timer_t, 2> timers_{};
};

/// Continues this program when a program that it tests has stopped it. It has a thread of its own, which receives SIGCONT: all
/// other threads block it, so that it interrupts no system call. To be made while the program has one thread.
class StopGuard {
 public:
  StopGuard();
  ~StopGuard();
  StopGuard(const StopGuard&) = delete;
  StopGuard& operator=(const StopGuard&) = delete;

 private:
  sigset_t before_{};
  std::atomic<bool> over_ = false;
  std::thread receiver_;
};

}  // namespace splitproof::testee
