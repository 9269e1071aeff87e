#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace splitproof::server {

/// Waits for descriptors and for times, and calls who asked, all on one thread.
class EventLoop {
 public:
  using Clock = std::chrono::steady_clock;

  class Timer;

  /// Whoever watches descriptors. It must not be destroyed by a call that it gets: see `later`.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void ready(int descriptor, std::uint32_t events) = 0;  ///< events of epoll
  };

  /// Throws std::system_error where the system has no descriptor for it.
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Calls `watcher` whenever one of `events` is there. Once for each descriptor, until `forget`.
  void watch(int descriptor, std::uint32_t events, Watcher& watcher);

  /// Waits for other events on a descriptor that is watched. Costs nothing where they are the same.
  void change(int descriptor, std::uint32_t events);

  /// Before the descriptor is closed. Nothing more is called for it, not even what has happened already.
  void forget(int descriptor);

  /// Calls `task` behind all that has happened already, from the loop itself: the place to destroy what is being called.
  void later(std::function<void()> task);

  /// As `later`, from any thread, as long as the loop lives. What is posted behind its end is never called.
  void post(std::function<void()> task);

  /// When what is told now began to be told.
  Clock::time_point now() const { return now_; }

  /// Waits and calls until `end`. What a call throws is caught and written to standard error.
  void run();

  /// From a call.
  void end() { ended_ = true; }

  /// Waits once, at most so long, and calls.
  void step(std::chrono::milliseconds at_most);

 private:
  struct Watched {
    Watcher* watcher = nullptr;
    std::uint32_t events = 0;
    std::uint32_t generation = 0;  // of what this descriptor's number stood for
  };
  using Times = std::multimap<Clock::time_point, Timer*>;

  void call(const std::function<void()>& what) const;
  void fire();
  void take_posted();

  int epoll_;
  int wake_;  // readable while something is posted
  Clock::time_point now_ = Clock::now();
  bool ended_ = false;
  std::vector<Watched> watched_;  // by descriptor
  Times times_;
  std::vector<std::function<void()>> later_;
  std::mutex posting_;
  std::vector<std::function<void()>> posted_;
};

/// Calls once its time has come. To put the time off costs nothing. It must not be destroyed by its own call.
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
