#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace splitproof::server {

/// Waits for descriptors and times, and calls their owners, all on one thread.
class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;

  class Timer;

  /// Receives the events of a descriptor. It must not be destroyed during its own call: see `later`.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void ready(int descriptor, std::uint32_t events) = 0;  ///< flags of epoll
  };

  /// Throws std::system_error if the system has no free descriptor.
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Calls `watcher` when one of `events` occurs. Call it once for each descriptor, until `forget`.
  void watch(int descriptor, std::uint32_t events, Watcher& watcher);

  /// Changes the events of a watched descriptor. Costs nothing if they are the same.
  void change(int descriptor, std::uint32_t events);

  /// Call before the descriptor is closed. Later and pending events are dropped.
  void forget(int descriptor);

  /// Calls `task` from the loop after all pending events. Use it to destroy an object that is being called.
  void later(std::function<void()> task);

  /// As `later`, from any thread while the loop exists. A task posted after the loop's end is never called.
  void post(std::function<void()> task);

  /// Time at which the current round of calls began.
  Clock::time_point now() const { return now_; }

  /// Waits and calls until `end`. Catches exceptions of the calls and prints them to standard error.
  void run();

  /// Call it from a task of the loop.
  void end() { ended_ = true; }

  /// Waits once, at most `at_most`, and calls.
  void step(std::chrono::milliseconds at_most);

 private:
  struct Watched {
    Watcher* watcher = nullptr;
    std::uint32_t events = 0;
    std::uint32_t generation = 0;  // tells reused descriptor numbers apart
  };
  using Times = std::multimap<Clock::time_point, Timer*>;

  void call(const std::function<void()>& what) const;
  void fire();
  void take_posted();

  int epoll_;
  int wake_;  // readable while tasks are posted
  Clock::time_point now_ = Clock::now();
  bool ended_ = false;
  std::vector<Watched> watched_;  // index: descriptor
  Times times_;
  std::vector<std::function<void()>> later_;
  std::mutex posting_;
  std::vector<std::function<void()>> posted_;
};

/// Calls `due` when its time has come. Postponing costs nothing. It must not be destroyed by its own call.
class EventLoop::Timer {
 public:
  Timer(EventLoop& loop, std::function<void()> due) : loop_(loop), due_(std::move(due)) {}
  ~Timer() { unlink(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void set(Clock::time_point at);
  void clear() { at_ = Clock::time_point::max(); }

 private:
  friend class EventLoop;
  void unlink();

  EventLoop& loop_;
  std::function<void()> due_;
  Clock::time_point at_ = Clock::time_point::max();
  Times::iterator place_{};
  bool linked_ = false;  // at `at_` or before
};

}  // namespace splitproof::server
