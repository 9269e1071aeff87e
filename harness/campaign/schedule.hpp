#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace splitproof::campaign {

/// Deals jobs out to threads, each the first that may run. What may run is said by lanes: a lane has so many places, and
/// a late job waits until every job of its lane that is not late has ended, and one that continues another until that has. Any thread may use it.
///
/// Once a job is the last that is wanted, those before it are still dealt out, so which jobs run does not depend on
/// which thread was faster.
class Schedule {
 public:
  struct Job {
    std::size_t lane = 0;
    bool late = false;
    std::optional<std::size_t> continues = {};  ///< a job before it
  };

  /// `places` by lane.
  Schedule(std::vector<Job> jobs, const std::vector<std::size_t>& places);

  /// The next job; waits where others have to end first. None when nothing is left, or `stop` says so.
  std::optional<std::size_t> next(const std::function<bool()>& stop);

  /// A job that was dealt out has ended, well or not.
  void ended(std::size_t job);

  /// No job behind this one is wanted.
  void end_with(std::size_t job);

  /// No further job of this lane is wanted.
  void close(std::size_t lane);

  /// One past the last job that is wanted.
  std::size_t wanted() const;

 private:
  struct Lane {
    std::size_t places = 0;
    std::size_t early = 0;  // jobs not late that have not ended
    bool closed = false;
  };

  const std::vector<Job> jobs_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<Lane> lanes_;
  std::vector<bool> taken_;
  std::vector<bool> ended_;
  std::size_t wanted_;
};

}  // namespace splitproof::campaign
