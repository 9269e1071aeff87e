#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

#include "proxy/server/event_loop.hpp"

namespace splitproof::server {

/// How many bytes of unfinished request bodies the connections hold together. Threads may share it.
///
/// Where there is no room for one more piece, the slowest body gives way: of those that hold at least half of the mean,
/// the one with the lowest rate of late. So whoever holds much and sends little makes room for those who send, and a small
/// request hardly ever gives way.
class HeldBodies {
 public:
  using Time = EventLoop::Clock::time_point;

  /// `most`: bytes.
  explicit HeldBodies(std::size_t most) : most_(most) {}
  HeldBodies(const HeldBodies&) = delete;
  HeldBodies& operator=(const HeldBodies&) = delete;

  /// What one unfinished body holds. It belongs to the thread of its loop.
  class Share {
   public:
    /// `give_way` is called from the loop once this body has to make room for another one.
    Share(HeldBodies& held, EventLoop& loop, std::function<void()> give_way);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// The body has so many bytes more. False: it has to give way itself.
    bool grow(std::size_t bytes, Time now);

   private:
    friend class HeldBodies;
    // Its callback is touched by its own thread alone, the rest under the lock.
    struct Entry {
      EventLoop& loop;
      std::function<void()> give_way;
      Time since;  // it began
      Time at;     // something came last
      std::size_t bytes = 0;
      double recent = 0;    // bytes that came, each counted less the longer ago it came; as of `at`
      bool counted = true;  // it was not made to give way
    };
    using Place = std::list<std::shared_ptr<Entry>>::iterator;

    HeldBodies& held_;
    Place place_;
  };

 private:
  using Entries = std::list<std::shared_ptr<Share::Entry>>;

  std::shared_ptr<Share::Entry> slowest(Time now) const;

  const std::size_t most_;
  std::mutex mutex_;
  std::size_t total_ = 0;
  Entries entries_;
};

}  // namespace splitproof::server
