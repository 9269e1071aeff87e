#include "harness/campaign/campaign.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "harness/campaign/isolation.hpp"
#include "harness/campaign/join.hpp"
#include "harness/campaign/mishaps.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/campaign/schedule.hpp"
#include "harness/campaign/silence.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/choices.hpp"

namespace splitproof::campaign {
namespace {

struct Job {
  std::size_t testee;  // its place in the settings
  const recording::Recording* recording;
  Round round;
};

std::size_t deciding_findings(const RecordingResult& result, bool strict) {
  return static_cast<std::size_t>(std::count_if(result.rows.begin(), result.rows.end(), [&](const Row& row) {
    return row.verdict == contract::Verdict::violated && !row.expectation && decides(row.level, strict);
  }));
}

// Whether a recording has nothing that the testee does not claim.
bool claims(const testee::Testee& testee, const recording::Recording& recording,
            const contract::Profile& profile) {
  const std::vector<std::string>& cannot = testee.cannot();
  if (cannot.empty()) return true;
  const Upstream upstream{recording.body, {}, recording.end};
  std::set<std::string> features =
      read_upstream(upstream, recording.protocol, observe::choices_of(profile.knobs)).expected.shapes;
  features.insert(recording.features.begin(), recording.features.end());
  return std::none_of(cannot.begin(), cannot.end(),
                      [&](const std::string& feature) { return features.count(feature) > 0; });
}

Row row_of_trial(const contract::Judged& judged, const testee::Testee& testee,
                 const recording::Recording& recording) {
  Row row;
  row.obligation = judged.obligation;
  row.level = judged.obligation->level;
  row.verdict = judged.verdict;
  row.reason = judged.reason;
  row.cases = 1;
  if (judged.verdict != contract::Verdict::violated) return row;
  row.violating = 1;
  Reproducer first;
  first.case_id = to_string(Case{recording.id, testee.client()});
  first.upstream = {recording.body, {}, recording.end};
  first.message = judged.message + "; it takes several streams to see it, and one case has one";
  row.first = first;
  return row;
}

class Campaign {
 public:
  Campaign(const Settings& settings, const std::function<void(const CampaignProgress&)>& on_progress,
           const std::function<bool()>& stop)
      : settings_(settings), on_progress_(on_progress), stop_(stop) {
    for (std::size_t i = 0; i < settings.testees.size(); ++i) add_jobs(i);
    results_.resize(jobs_.size());
    progress_.total = jobs_.size();
  }

  Results run() && {
    // Before all else: later an upstream that failed on purpose may have put the testee off.
    for (std::size_t i = 0; i < settings_.testees.size(); ++i) try_isolation(i);
    std::vector<Schedule::Job> order;
    std::vector<std::size_t> places;
    for (const Job& job : jobs_) order.push_back({job.testee, job.round == Round::statuses});
    for (const testee::Testee* testee : settings_.testees) places.push_back(testee->max_concurrency());
    Schedule schedule(std::move(order), std::move(places));
    std::vector<std::future<void>> workers;  // which hand on what a worker throws
    for (unsigned i = 1; i < std::min<std::size_t>(settings_.jobs, jobs_.size()); ++i)
      workers.push_back(std::async(std::launch::async, [&] { work(schedule); }));
    work(schedule);
    for (std::future<void>& worker : workers) worker.get();
    return finished(schedule.wanted());
  }

 private:
  void add_jobs(std::size_t place) {
    const testee::Testee& testee = *settings_.testees[place];
    const Round round = testee.over_http() ? Round::over_http : Round::exact;
    const std::size_t first = jobs_.size();
    TargetResult& target = targets_.emplace_back();
    target.target = testee.name();
    std::vector<Job> late;
    for (const recording::Recording* recording : settings_.recordings) {
      if (recording->protocol != testee.upstream()) continue;
      const bool early = selects(settings_, round, testee, *recording);
      const bool statuses = testee.over_http() && settings_.trials.faults &&
                            selects(settings_, Round::statuses, testee, *recording);
      if ((early || statuses) && !claims(testee, *recording, settings_.profile)) {
        target.unclaimed += early ? 1 : 0;
        continue;
      }
      if (early) jobs_.push_back({place, recording, round});
      if (statuses) late.push_back({place, recording, Round::statuses});
    }
    jobs_.insert(jobs_.end(), late.begin(), late.end());
    heard_.push_back({first, Silence(jobs_.size() - first)});
  }

  // One trial a testee outside this process, with the first recording that serves; of a whole campaign only. Where no
  // stream of its upstream's protocol can be made up, the first recording says so.
  void try_isolation(std::size_t place) {
    const testee::Testee& testee = *settings_.testees[place];
    if (!settings_.only.empty() || !testee.outside()) return;
    const bool in_vain = dialect::upstream_of(testee.upstream()) == nullptr;
    for (std::size_t number = 0; number < jobs_.size() && !stop_(); ++number) {
      const recording::Recording& recording = *jobs_[number].recording;
      if (jobs_[number].testee != place || (!in_vain && !canary_stream(recording, 0))) continue;
      trials_[number] = judge_isolation(testee, recording);
      return;
    }
  }

  void work(Schedule& schedule) {
    struct JobEnd {  // also where a job throws, so that nobody waits for it
      Schedule& schedule;
      std::size_t job;
      ~JobEnd() { schedule.ended(job); }
    };
    while (const auto job = schedule.next(stop_)) {
      const JobEnd ended{schedule, *job};
      do_job(*job, schedule);
    }
  }

  void do_job(std::size_t number, Schedule& schedule) {
    const Job& job = jobs_[number];
    RecordingOutcome outcome =
        run_recording(settings_, job.round, *settings_.testees[job.testee], *job.recording, stop_);
    if (!outcome.unavailable.empty()) {
      schedule.close(job.testee);
      const std::lock_guard lock(mutex_);
      std::string& why = targets_[job.testee].unavailable;
      if (why.empty()) why = outcome.unavailable;
      return;
    }
    if (!outcome.result) return;
    listen(number, !outcome.silent, schedule);
    if (const auto trial = trials_.find(number); trial != trials_.end())
      outcome.result->rows.push_back(
          row_of_trial(trial->second, *settings_.testees[job.testee], *job.recording));
    apply_expectations(*outcome.result, settings_.expectations);
    const std::size_t findings = deciding_findings(*outcome.result, settings_.strict);
    if (outcome.stopped) {
      const std::lock_guard lock(mutex_);
      results_[number] = std::move(outcome.result);
      return;
    }
    if (settings_.fail_fast && findings > 0) schedule.end_with(number);
    note(number, std::move(*outcome.result), findings);
  }

  // Once a testee is silent for good, no more of it is run.
  void listen(std::size_t number, bool answered, Schedule& schedule) {
    const std::size_t place = jobs_[number].testee;
    Listening& listening = heard_[place];
    std::unique_lock lock(mutex_);
    listening.silence.ended(number - listening.first_job, answered);
    while (const auto trial = listening.silence.trial()) {
      const recording::Recording& known = *jobs_[listening.first_job + *trial].recording;
      lock.unlock();
      const bool answers_now = answers(*settings_.testees[place], known);
      lock.lock();
      listening.silence.tried(answers_now);
    }
    if (listening.silence.last()) schedule.close(place);
  }

  static bool answers(const testee::Testee& testee, const recording::Recording& recording) {
    Upstream upstream{recording.body, {}, recording.end};
    testee::Exchange exchange = exchange_of(upstream, recording);
    exchange.name = to_string({recording.id, testee.client()});
    return testee.observe(exchange).ending != testee::Ending::hung;
  }

  void note(std::size_t number, RecordingResult result, std::size_t findings) {
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    progress_.cases += result.cases;
    progress_.findings += findings;
    results_[number] = std::move(result);
    on_progress_(progress_);
  }

  Results finished(std::size_t wanted) {
    Results all;
    for (std::size_t number = 0; number < wanted; ++number) {
      TargetResult& target = targets_[jobs_[number].testee];
      std::optional<RecordingResult>& result = results_[number];
      if (after_its_last(number)) result = not_run(jobs_[number]);
      if (!result) {
        target.undone += target.unavailable.empty() || jobs_[number].round == Round::statuses ? 0 : 1;
        continue;
      }
      if (result->cases + result->unrun == 0) continue;
      target.unrun += result->cases == 0 && jobs_[number].round != Round::statuses ? 1 : 0;
      target.cases += result->cases;
      target.called += result->called;
      target.broken += result->broken;
      const auto earlier =
          std::find_if(all.recordings.begin(), all.recordings.end(), [&](const RecordingResult& known) {
            return known.recording == result->recording && known.target == result->target;
          });
      if (earlier != all.recordings.end()) {
        join(*earlier, std::move(*result));
      } else {
        all.recordings.push_back(std::move(*result));
      }
    }
    all.targets = std::move(targets_);
    for (const testee::Testee* testee : settings_.testees)
      add_mishaps(all.recordings, testee->name(), testee->mishaps());
    for (RecordingResult& result : all.recordings) apply_expectations(result, settings_.expectations);
    return all;
  }

  bool after_its_last(std::size_t number) const {
    const Listening& listening = heard_[jobs_[number].testee];
    const auto last = listening.silence.last();
    return last && number - listening.first_job > *last;
  }

  RecordingResult not_run(const Job& job) const {
    const testee::Testee& testee = *settings_.testees[job.testee];
    RecordingResult result;
    result.target = testee.name();
    result.recording = job.recording;
    result.unrun = count_cases(settings_, job.round, testee, *job.recording);
    return result;
  }

  const Settings& settings_;
  std::map<std::size_t, contract::Judged> trials_;  // by job; made before the threads begin
  const std::function<void(const CampaignProgress&)>& on_progress_;
  const std::function<bool()>& stop_;
  std::vector<Job> jobs_;
  std::mutex mutex_;  // guards what follows
  struct Listening {
    std::size_t first_job = 0;  // of the testee
    Silence silence;
  };
  std::vector<Listening> heard_;  // by testee
  std::vector<TargetResult> targets_;
  std::vector<std::optional<RecordingResult>> results_;
  CampaignProgress progress_;
};

}  // namespace

bool decides(contract::Level level, bool strict) {
  return level == contract::Level::must || (strict && level == contract::Level::should);
}

Results run(const Settings& settings, const std::function<void(const CampaignProgress&)>& on_progress,
            const std::function<bool()>& stop) {
  return Campaign(settings, on_progress, stop).run();
}

}  // namespace splitproof::campaign
