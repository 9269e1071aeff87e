#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>

namespace splitproof::testee {

/// Kernel timers that send SIGCONT to this process, so that it continues within a second after it was
/// stopped. The process must receive each SIGCONT, with signalfd(2) or sigwait(3). There are two timers,
/// because a stop before a SIGCONT is received ends the timer that sent it. The destructor ends them.
class ContinuingTimers {
 public:
  ContinuingTimers();
  ~ContinuingTimers();
  ContinuingTimers(const ContinuingTimers&) = delete;
  ContinuingTimers& operator=(const ContinuingTimers&) = delete;

 private:
  std::array<timer_t, 2> timers_{};
};

/// Continues this program after a tested program has stopped it. It has a thread that receives SIGCONT. All
/// other threads block SIGCONT, so that it interrupts no system call. Create it while the program has one
/// thread.
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
