#include "harness/cli/run_stops.hpp"

#include <unistd.h>

#include "harness/cli/exit_code.hpp"

namespace splitproof::cli {
namespace {

testee::StopToken* stop_on_signal = nullptr;  // outlives the signal handler

// The program ends this long after a signal, even within an endless computation or write.
constexpr unsigned kSecondsToEnd = 3;

void catch_signal(int signal) {
  caught_signal = signal;
  stop_on_signal->request_stop();
  std::signal(signal, SIG_DFL);
  alarm(kSecondsToEnd);
}

void end_at_once(int /*signal*/) { _exit(kInterrupted + caught_signal); }

}  // namespace

volatile std::sig_atomic_t caught_signal = 0;

SignalsCaught::SignalsCaught(testee::StopToken& stop) {
  stop_on_signal = &stop;
  std::signal(SIGALRM, end_at_once);
  for (const int signal : kSignals)
    if (std::signal(signal, catch_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

SignalsCaught::~SignalsCaught() {
  alarm(0);
  std::signal(SIGALRM, SIG_DFL);
  for (const int signal : kSignals)
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

Alarm::Alarm(testee::StopToken& stop, testee::Deadline at)
    : thread_([this, &stop, at] {
        if (testee::sleep_until(destroyed_, at) == testee::Io::late) stop.request_stop();
      }) {}

Alarm::~Alarm() {
  destroyed_.request_stop();
  thread_.join();
}

}  // namespace splitproof::cli
