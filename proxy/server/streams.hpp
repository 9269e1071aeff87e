#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace splitproof::server {

/// Counts the open streams. Thread-safe.
class OpenStreams {
 public:
  explicit OpenStreams(std::size_t most) : most_(most) {}

  /// Takes one place, unless all are taken.
  class Place {
   public:
    explicit Place(OpenStreams& streams)
        : open_(&streams.open_), taken_(open_->fetch_add(1) < streams.most_) {}
    ~Place() { open_->fetch_sub(1); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    bool taken() const { return taken_; }

   private:
    std::atomic<std::size_t>* open_;
    bool taken_;
  };

 private:
  const std::size_t most_;
  std::atomic<std::size_t> open_ = 0;
};

}  // namespace splitproof::server
