#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace splitproof::server {

/// Runs each task on a thread of its own, up to a number of threads; then tasks wait for one to end. A pool of fixed size
/// would keep the stream after the last thread waiting, or hold as many threads as there may ever be streams.
class ConnectionThreads {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}
  ~ConnectionThreads() { join(); }
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  /// Tasks throw nothing.
  void run(std::function<void()> task);

  /// Waits until the last task has ended.
  void join();

 private:
  void work(std::function<void()> task);

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t running_ = 0;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace splitproof::server
