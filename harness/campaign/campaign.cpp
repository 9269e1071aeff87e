#include "harness/campaign/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <utility>

#include "harness/campaign/recording_run.hpp"

namespace splitproof::campaign {
namespace {

struct Job {
  const testee::Testee* testee;
  const recording::Recording* recording;
};

std::size_t deciding_findings(const RecordingResult& result, bool strict) {
  return static_cast<std::size_t>(std::count_if(result.rows.begin(), result.rows.end(), [&](const Row& row) {
    return row.verdict == contract::Verdict::violated && !row.expectation && decides(row.level, strict);
  }));
}

}  // namespace

bool decides(contract::Level level, bool strict) {
  return level == contract::Level::must || (strict && level == contract::Level::should);
}

std::vector<RecordingResult> run(const Settings& settings,
                                 const std::function<void(const Progress&)>& on_progress,
                                 const std::function<bool()>& stop) {
  std::vector<Job> jobs;
  for (const testee::Testee* testee : settings.testees) {
    for (const recording::Recording* recording : settings.recordings) {
      if (recording->protocol == testee->upstream()) jobs.push_back({testee, recording});
    }
  }

  std::vector<std::optional<RecordingResult>> results(jobs.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> last = jobs.size();  // jobs from here on are not wanted
  std::mutex progress_lock;
  Progress progress;
  progress.total = jobs.size();

  // Jobs are taken in order, so all before a failing one are finished too: --fail-fast ends at the same
  // recording whatever the number of threads.
  const auto work = [&] {
    for (std::size_t job = next++; job < last && !stop(); job = next++) {
      std::optional<RecordingResult> result =
          run_recording(settings, *jobs[job].testee, *jobs[job].recording, stop);
      if (!result) return;
      foretell(*result, settings.expectations);
      const std::size_t findings = deciding_findings(*result, settings.strict);
      if (settings.fail_fast && findings > 0) {
        std::size_t seen = last;
        while (job + 1 < seen && !last.compare_exchange_weak(seen, job + 1)) {
        }
      }
      const std::lock_guard lock(progress_lock);
      ++progress.done;
      progress.cases += result->cases;
      progress.findings += findings;
      results[job] = std::move(result);
      on_progress(progress);
    }
  };
  std::vector<std::future<void>> workers;  // which hand on what a worker throws
  for (unsigned i = 1; i < std::min<std::size_t>(settings.jobs, jobs.size()); ++i) {
    workers.push_back(std::async(std::launch::async, work));
  }
  work();
  for (std::future<void>& worker : workers) worker.get();

  std::vector<RecordingResult> finished;
  for (std::size_t job = 0; job < last; ++job) {
    if (results[job] && results[job]->cases > 0) finished.push_back(std::move(*results[job]));
  }
  return finished;
}

}  // namespace splitproof::campaign
