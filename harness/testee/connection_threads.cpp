#include "harness/testee/connection_threads.hpp"

#include <chrono>
#include <iterator>
#include <system_error>
#include <utility>

namespace splitproof::testee {
namespace {

constexpr std::chrono::seconds kBetweenSweeps{1};
constexpr std::chrono::milliseconds kRetry{20};

}  // namespace

ConnectionThreads::ConnectionThreads(Descriptor listener, std::size_t most, Serve serve)
    : listener_(std::move(listener)),
      most_(most),
      serve_(std::move(serve)),
      accepting_([this] { accept_all(); }) {}

ConnectionThreads::~ConnectionThreads() {
  stop_.request_stop();
  accepting_.join();
  for (Serving& one : serving_) one.thread.join();
}

void ConnectionThreads::accept_all() {
  while (true) {
    Io io = Io::done;
    Descriptor socket = accept_from(listener_.get(), stop_, within(kBetweenSweeps), io);
    join_finished();
    if (io == Io::stopped) return;
    // Without free descriptors the connection waits.
    if (io == Io::gone) static_cast<void>(sleep_until(stop_, within(kRetry)));
    if (socket.get() >= 0) begin(std::move(socket));
  }
}

void ConnectionThreads::begin(Descriptor socket) {
  const std::lock_guard lock(mutex_);
  if (serving_.size() >= most_) return;
  Serving& one = serving_.emplace_back();
  try {
    one.thread = std::thread([this, &one, owned = std::make_shared<Descriptor>(std::move(socket))] {
      serve_(std::move(*owned), stop_);
      const std::lock_guard over(mutex_);
      one.over = true;
    });
  } catch (const std::system_error&) {
    serving_.pop_back();
  }
}

void ConnectionThreads::join_finished() {
  std::list<Serving> finished;
  {
    const std::lock_guard lock(mutex_);
    for (auto one = serving_.begin(); one != serving_.end();) {
      const auto next = std::next(one);
      if (one->over) finished.splice(finished.end(), serving_, one);
      one = next;
    }
  }
  for (Serving& one : finished) one.thread.join();
}

}  // namespace splitproof::testee
