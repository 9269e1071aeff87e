#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "harness/descriptor.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// Accepts connections, and gives each its own thread. A connection closes at once if there are `most` or no thread is
/// left.
class ConnectionThreads {
 public:
  /// Handles one connection, which closes afterwards.
  using Serve = std::function<void(Descriptor socket, const StopToken& stop)>;

  ConnectionThreads(Descriptor listener, std::size_t most, Serve serve);

  /// Stops all connections, and joins their threads.
  ~ConnectionThreads();
  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  const StopToken& stop_token() const { return stop_; }

 private:
  struct Serving {
    std::thread thread;
    bool over = false;  // under mutex_
  };

  void accept_all();
  void join_finished();
  void begin(Descriptor socket);

  Descriptor listener_;
  std::size_t most_;
  Serve serve_;
  StopToken stop_;
  std::mutex mutex_;
  std::list<Serving> serving_;  // under mutex_
  std::thread accepting_;
};

}  // namespace splitproof::testee
