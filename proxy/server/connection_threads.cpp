#include "proxy/server/connection_threads.hpp"

#include <system_error>
#include <thread>
#include <utility>

namespace splitproof::server {

void ConnectionThreads::run(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (running_ == most_) {
    waiting_.push_back(std::move(task));
    return;
  }
  try {
    std::thread([this, task] { work(task); }).detach();
    ++running_;
  } catch (const std::system_error&) {
    // No thread to be had: it waits for one that ends. The first always has to be there.
    if (running_ == 0) throw;
    waiting_.push_back(std::move(task));
  }
}

void ConnectionThreads::work(std::function<void()> task) {
  while (true) {
    task();
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      --running_;
      idle_.notify_all();  // under the lock: whoever joins may destroy this right after
      return;
    }
    task = std::move(waiting_.front());
    waiting_.pop_front();
  }
}

void ConnectionThreads::join() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return running_ == 0; });
}

}  // namespace splitproof::server
