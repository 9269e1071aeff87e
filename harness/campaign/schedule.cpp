#include "harness/campaign/schedule.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::campaign {

Schedule::Schedule(std::vector<Job> jobs, const std::vector<std::size_t>& places)
    : jobs_(std::move(jobs)),
      taken_(jobs_.size(), false),
      ended_(jobs_.size(), false),
      wanted_(jobs_.size()) {
  for (const std::size_t count : places) {
    lanes_.emplace_back();
    lanes_.back().places = std::max<std::size_t>(count, 1);
  }
  for (const Job& job : jobs_) lanes_[job.lane].early += job.late ? 0 : 1;
}

std::optional<std::size_t> Schedule::next(const std::function<bool()>& stop) {
  std::unique_lock lock(mutex_);
  while (!stop()) {
    bool any = false;
    for (std::size_t job = 0; job < wanted_; ++job) {
      Lane& lane = lanes_[jobs_[job].lane];
      if (taken_[job] || lane.closed) continue;
      any = true;
      if (lane.places == 0 || (jobs_[job].late && lane.early > 0)) continue;
      if (const auto before = jobs_[job].continues; before && !ended_[*before]) continue;
      taken_[job] = true;
      --lane.places;
      return job;
    }
    if (!any) return std::nullopt;
    changed_.wait(lock);
  }
  return std::nullopt;
}

void Schedule::ended(std::size_t job) {
  const std::lock_guard lock(mutex_);
  Lane& lane = lanes_[jobs_[job].lane];
  ++lane.places;
  ended_[job] = true;
  lane.early -= jobs_[job].late ? 0 : 1;
  changed_.notify_all();
}

void Schedule::end_with(std::size_t job) {
  const std::lock_guard lock(mutex_);
  wanted_ = std::min(wanted_, job + 1);
}

void Schedule::close(std::size_t lane) {
  const std::lock_guard lock(mutex_);
  lanes_[lane].closed = true;
}

std::size_t Schedule::wanted() const {
  const std::lock_guard lock(mutex_);
  return wanted_;
}

}  // namespace splitproof::campaign
