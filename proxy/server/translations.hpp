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

/// Requests that take long to translate. They wait for threads of their own, so that no loop waits for them. Threads may
/// share it.
///
/// The smallest is translated first, and where too many bytes wait, the largest is refused: so a large request holds up a
/// small one for the time of one translation at most.
class Translations {
 public:
  /// One request. It belongs to the thread of its loop, and to a thread that translates between `add` and `done`.
  struct Job {
    EventLoop& loop;
    RequestHead head;
    std::string body;
    std::uint64_t id;
    bool close;
    std::function<void()> done = {};  ///< called from the loop; emptied, by the loop: nobody waits any more
    Routes::Outcome outcome = {};
    std::exception_ptr failed = {};
    bool refused = false;  ///< there is no room for it
  };

  /// From this size on a request is translated here.
  static constexpr std::size_t kLarge = 65'536;

  /// `settings` have to outlive this.
  explicit Translations(const ServerSettings& settings);
  Translations(const Translations&) = delete;
  Translations& operator=(const Translations&) = delete;

  void add(std::shared_ptr<Job> job);

  /// Nobody waits for it any more: if it has not begun, it never will.
  void drop(const std::shared_ptr<Job>& job);

  /// Translates until `end`: the work of a thread.
  void run();

  /// What waits is left.
  void end();

 private:
  using Waiting = std::multimap<std::size_t, std::shared_ptr<Job>>;  // by size

  std::shared_ptr<Job> take(Waiting::iterator at);

  const ServerSettings& settings_;
  const std::size_t most_;  // bytes that wait
  std::mutex mutex_;
  std::condition_variable changed_;
  Waiting waiting_;
  std::size_t bytes_ = 0;  // that wait
  bool ended_ = false;
};

}  // namespace splitproof::server
