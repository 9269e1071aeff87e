#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace splitproof::campaign {

/// Distributes jobs to threads, each time the first job that may run. A lane limits its jobs by a number of
/// places. A late job waits for all jobs of its lane that are not late. A job that continues another waits
/// for it. Thread-safe.
///
/// After a job is declared the last one, all earlier jobs still run. So the set of run jobs does not depend
/// on the speed of threads.
class Schedule {
 public:
  struct Job {
    std::size_t lane = 0;
    bool late = false;
    std::optional<std::size_t> continues = {};  ///< an earlier job
  };

  /// `places` by lane.
  Schedule(std::vector<Job> jobs, const std::vector<std::size_t>& places);

  /// Returns the next job; waits if other jobs must end first. Returns nullopt if none is left, or if `stop`
  /// returns true.
  std::optional<std::size_t> next(const std::function<bool()>& stop);

  /// Marks a started job as ended, successfully or not.
  void ended(std::size_t job);

  /// Drops all jobs after this one.
  void end_with(std::size_t job);

  /// Drops further jobs of this lane.
  void close(std::size_t lane);

  /// Returns one past the last job to run.
  std::size_t wanted() const;

 private:
  struct Lane {
    std::size_t places = 0;
    std::size_t early = 0;  // jobs not late that have not ended
    bool closed = false;
  };

  const std::vector<Job> jobs_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::vector<Lane> lanes_;
  std::vector<bool> taken_;
  std::vector<bool> ended_;
  std::size_t wanted_;
};

}  // namespace splitproof::campaign
