#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

#include "proxy/server/event_loop.hpp"

namespace splitproof::server {

/// Limits the bytes of incomplete request bodies over all connections. Thread-safe.
///
/// If the memory is full, the slowest body gives way: the lowest recent rate among bodies of at least half the mean
/// size. So large slow bodies make room, and a small request rarely gives way.
class HeldBodies {
 public:
  using Time = EventLoop::Clock::time_point;

  /// `most`: limit in bytes.
  explicit HeldBodies(std::size_t most) : most_(most) {}
  HeldBodies(const HeldBodies&) = delete;
  HeldBodies& operator=(const HeldBodies&) = delete;

  /// Accounts for one incomplete body. It belongs to the thread of its loop.
  class Share {
   public:
    /// The loop calls `give_way` when this body has to make room.
    Share(HeldBodies& held, EventLoop& loop, std::function<void()> give_way);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Adds bytes to the account. Returns false if this body itself has to give way.
    bool grow(std::size_t bytes, Time now);

   private:
    friend class HeldBodies;
    // Only its own thread uses the callback. The lock protects the rest.
    struct Entry {
      EventLoop& loop;
      std::function<void()> give_way;
      Time since;  // start of the body
      Time at;     // time of the last bytes
      std::size_t bytes = 0;
      double recent = 0;    // received bytes, weighted by age as of `at`
      bool counted = true;  // it has not been asked to give way
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
