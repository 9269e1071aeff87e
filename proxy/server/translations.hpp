#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "proxy/server/event_loop.hpp"
#include "proxy/server/request_head.hpp"
#include "proxy/server/routes.hpp"
#include "proxy/server/settings.hpp"

namespace splitproof::server {

/// Queue of requests that take long to translate. Threads of their own translate them, so that no loop waits.
/// Thread-safe.
///
/// The smallest request comes first. If too many bytes wait, the largest request is refused. So a large request delays
/// a small one by at most one translation.
class Translations {
 public:
  /// One request. It belongs to the thread of its loop, and between `add` and `done` to a translating thread.
  struct Job {
    EventLoop& loop;
    RequestHead head;
    std::string body;
    std::uint64_t id;
    bool close;
    std::function<void()> done = {};  ///< The loop calls it, and empties it if nobody waits any more.
    Routes::Outcome outcome = {};
    std::exception_ptr failed = {};
    bool refused = false;  ///< The queue is full.
    std::function<void(const Job&)> work =
        {};  ///< Other work on the body; without it, `outcome` is the result.
  };

  /// Smallest size of a request in bytes that is translated here.
  static constexpr std::size_t kLarge = 65'536;

  /// `settings` have to outlive this object.
  explicit Translations(const ServerSettings& settings);
  Translations(const Translations&) = delete;
  Translations& operator=(const Translations&) = delete;

  void add(std::shared_ptr<Job> job);

  /// Removes a job that nobody waits for, unless it has begun.
  void drop(const std::shared_ptr<Job>& job);

  /// Translates until `end`. A thread calls it.
  void run();

  /// Ends `run`. Waiting jobs stay untranslated.
  void end();

 private:
  using Waiting = std::multimap<std::size_t, std::shared_ptr<Job>>;  // by size

  std::shared_ptr<Job> take(Waiting::iterator at);

  const ServerSettings& settings_;
  const std::size_t most_;  // limit of waiting bytes
  std::mutex mutex_;
  std::condition_variable changed_;
  Waiting waiting_;
  std::size_t bytes_ = 0;  // waiting bytes
  bool ended_ = false;
};

}  // namespace splitproof::server
