#include "harness/testee/stop_guard.hpp"

#include <pthread.h>

namespace splitproof::testee {
namespace {

constexpr long kHalfASecond = 500'000'000;  // nanoseconds

sigset_t only_continue() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCONT);
  return signals;
}

}  // namespace

ContinuingTimers::ContinuingTimers() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGCONT;
  itimerspec times{{1, 0}, {0, kHalfASecond}};
  for (timer_t& timer : timers_) {
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &times, nullptr);
    times.it_value = {1, 0};
  }
}

ContinuingTimers::~ContinuingTimers() {
  for (timer_t& timer : timers_) timer_delete(timer);
}

StopGuard::StopGuard() {
  const sigset_t signals = only_continue();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  receiver_ = std::thread([this, signals] {
    const ContinuingTimers timers;
    for (int received = 0; !over_;) sigwait(&signals, &received);
  });
}

StopGuard::~StopGuard() {
  over_ = true;
  pthread_kill(receiver_.native_handle(), SIGCONT);
  receiver_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace splitproof::testee
