#include "harness/campaign/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/connections.hpp"
#include "harness/campaign/dead_target.hpp"
#include "harness/campaign/isolation.hpp"
#include "harness/campaign/mishaps.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/campaign/schedule.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/choices.hpp"
#include "harness/results/join.hpp"

namespace splitproof::campaign {

using results::RecordingResult;
using results::Reproducer;
using results::Row;
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenProgress = std::chrono::milliseconds(100);

// One recording with one testee, in one round.
struct Unit {
  std::size_t testee;  // index in the settings
  const recording::Recording* recording;
  Round round;
  Extent extent;
  std::unique_ptr<RecordingRun> run = {};      // from its first job to its last
  std::optional<RecordingResult> result = {};  // of the finished jobs
  std::size_t findings = 0;                    // in `result`
  bool unfinished = false;
};

// A share of its cases.
struct Job {
  std::size_t unit;
  Share share;
  bool is_last;       // the last job of the unit
  std::size_t place;  // among the jobs of its testee
};

std::size_t deciding_findings(const RecordingResult& result, bool strict) {
  return static_cast<std::size_t>(std::count_if(result.rows.begin(), result.rows.end(), [&](const Row& row) {
    return row.verdict == contract::Verdict::violated && !row.expectation &&
           results::decides(row.level, strict);
  }));
}

// True if the testee claims all features of a recording and does not refuse its request. In a recording about
// a request, the refusal itself is judged.
bool claims(const testee::Testee& testee, const recording::Recording& recording,
            const contract::Profile& profile) {
  if (!is_about_request(recording) && testee.refuses(recording)) return false;
  const std::vector<std::string>& cannot = testee.traits().cannot;
  if (cannot.empty()) return true;
  const Upstream upstream{recording.body, {}, recording.end};
  std::set<std::string> features =
      read_upstream(upstream, recording.protocol, observe::choices_of(profile.knobs)).expected.shapes;
  features.insert(recording.features.begin(), recording.features.end());
  return std::none_of(cannot.begin(), cannot.end(),
                      [&](const std::string& feature) { return features.count(feature) > 0; });
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// Returns all numbers so that each prefix of the list is spread evenly, by multiples of the golden ratio on a
// circle. Neighbours in a corpus are similar, and requests come after all answers.
std::vector<std::size_t> spread(std::size_t count) {
  constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;  // on a circle of 2^64
  std::vector<std::size_t> numbers = in_order(count);
  std::sort(numbers.begin(), numbers.end(),
            [](std::size_t a, std::size_t b) { return a * kGoldenRatio < b * kGoldenRatio; });
  return numbers;
}

Row row_of_trial(const contract::Judged& judged, const testee::Testee& testee,
                 const recording::Recording& recording) {
  Row row;
  row.rule = judged.obligation->id;
  row.level = judged.obligation->level;
  row.verdict = judged.verdict;
  row.reason = judged.reason;
  row.cases = 1;
  if (judged.verdict != contract::Verdict::violated) return row;
  row.violating = 1;
  Reproducer first;
  first.case_id = to_string(Case{recording.id, testee.client()});
  first.upstream = {recording.body, {}, recording.end};
  first.message = judged.message + "; only several streams show it, and a case has one stream";
  row.first = first;
  return row;
}

class Campaign {
 public:
  Campaign(const CampaignSettings& settings, const std::function<void(const CampaignProgress&)>& on_progress,
           const std::function<bool()>& stop)
      : settings_(settings), on_progress_(on_progress), stop_(stop) {
    for (std::size_t i = 0; i < settings.testees.size(); ++i) add_units(i);
    add_jobs();
    progress_.total = units_.size();
  }

  Results run() && {
    // Runs first, before injected failures of the upstream can affect the testee.
    for (std::size_t i = 0; i < settings_.testees.size(); ++i) try_acts(i);
    for (std::size_t i = 0; i < settings_.testees.size(); ++i) try_isolation(i);
    std::vector<Schedule::Job> order;
    std::vector<std::optional<std::size_t>> before(units_.size());
    for (std::size_t number = 0; number < jobs_.size(); ++number) {
      const std::size_t unit = jobs_[number].unit;
      order.push_back({units_[unit].testee, units_[unit].round == Round::statuses, before[unit]});
      before[unit] = number;
    }
    std::vector<std::size_t> places;
    for (const testee::Testee* testee : settings_.testees) places.push_back(testee->traits().max_concurrency);
    Schedule schedule(std::move(order), places);
    std::vector<std::future<void>> workers;  // they rethrow exceptions of workers
    for (unsigned i = 1; i < std::min<std::size_t>(settings_.jobs, units_.size()); ++i)
      workers.push_back(std::async(std::launch::async, [&] { work(schedule); }));
    work(schedule);
    for (std::future<void>& worker : workers) worker.get();
    return finished(schedule.wanted());
  }

 private:
  void add_units(std::size_t place) {
    const testee::Testee& testee = *settings_.testees[place];
    const Round round = testee.traits().over_http ? Round::over_http : Round::exact;
    const bool has_statuses = testee.traits().over_http && settings_.trials.faults;
    TargetResult& target = targets_.emplace_back();
    target.target = testee.name();
    std::vector<Unit> late;
    for (const recording::Recording* recording : settings_.recordings) {
      if (recording->protocol != testee.upstream()) continue;
      if (is_about_request(*recording) && !recording->requests->contains(testee.client())) continue;
      const Surveyed surveyed(*recording);
      const Extent early = extent_of(settings_, round, testee, surveyed);
      const Extent statuses =
          has_statuses ? extent_of(settings_, Round::statuses, testee, surveyed) : Extent();
      const bool runs_early = settings_.only.empty() || early.cases > 0;
      const bool runs_late = has_statuses && (settings_.only.empty() || statuses.cases > 0);
      if ((runs_early || runs_late) && !claims(testee, *recording, settings_.profile)) {
        target.unclaimed += runs_early ? 1 : 0;
        continue;
      }
      if (runs_early) units_.push_back({place, recording, round, early});
      if (runs_late) late.push_back({place, recording, Round::statuses, statuses});
    }
    std::move(late.begin(), late.end(), std::back_inserter(units_));
  }

  // Adds jobs share by share; the few statuses come with the last. With several shares time may run out, so
  // recordings are spread.
  void add_jobs() {
    const Share whole = settings_.whole_share();
    for (const Unit& unit : units_) progress_.planned += unit.extent.cases;
    std::vector<std::size_t> places(settings_.testees.size());
    const std::vector<std::size_t> order =
        settings_.shares.size() > 1 ? spread(units_.size()) : in_order(units_.size());
    for (const Share& share : settings_.shares) {
      for (const std::size_t number : order) {
        const Unit& unit = units_[number];
        const bool statuses = unit.round == Round::statuses;
        const bool has_share =
            statuses ? share == settings_.shares.back() : share.begin == 0 || share.begin < unit.extent.ranks;
        if (!has_share) continue;
        const bool is_last = share == settings_.shares.back() || share.end >= unit.extent.ranks;
        jobs_.push_back({number, statuses ? whole : share, is_last, places[unit.testee]++});
      }
    }
    for (std::size_t i = 0; i < places.size(); ++i) heard_.push_back({{}, DeadTargetDetector(places[i])});
    for (std::size_t number = 0; number < jobs_.size(); ++number)
      heard_[units_[jobs_[number].unit].testee].jobs.push_back(number);
  }

  // Runs one trial for an external testee, with the first suitable recording, in a complete campaign. Without
  // canary streams for the protocol, the first recording reports that.
  void try_isolation(std::size_t place) {
    const testee::Testee& testee = *settings_.testees[place];
    if (!settings_.only.empty() || !testee.traits().outside) return;
    const bool in_vain = dialect::upstream_of(testee.upstream()) == nullptr;
    for (std::size_t number = 0; number < units_.size() && !stop_(); ++number) {
      const recording::Recording& recording = *units_[number].recording;
      if (units_[number].testee != place || (!in_vain && !canary_stream(recording, 0))) continue;
      std::vector<Row>& rows = trials_[number];
      rows.insert(rows.begin(), row_of_trial(judge_isolation(testee, recording), testee, recording));
      return;
    }
  }

  // Runs once for a testee, with the first suitable recording: in a complete campaign, or if `only` names
  // acts.
  void try_acts(std::size_t place) {
    const testee::Testee& testee = *settings_.testees[place];
    const bool apart = asks_for_acts(settings_.only);
    if (!settings_.only.empty() && !apart) return;
    for (const recording::Recording* recording : settings_.recordings) {
      if (recording->protocol != testee.upstream() || is_about_request(*recording) || stop_()) continue;
      if (!canary_stream(*recording, 0) || !claims(testee, *recording, settings_.profile)) continue;
      std::vector<Row> rows = try_connections(testee, *recording, settings_.profile, settings_.only, stop_);
      if (apart && testee.traits().over_http) return add_acts(testee, *recording, std::move(rows));
      for (std::size_t number = 0; number < units_.size(); ++number) {
        if (units_[number].testee != place || units_[number].recording != recording) continue;
        trials_[number] = std::move(rows);
        return;
      }
      return;
    }
  }

  void add_acts(const testee::Testee& testee, const recording::Recording& recording, std::vector<Row> rows) {
    RecordingResult& result = acts_.emplace_back();
    result.target = testee.name();
    result.recording = recorded_of(recording);
    result.cases = 1;  // the trial without an act
    for (const Row& row : rows) result.cases = std::max(result.cases, row.cases);
    result.called = result.cases;
    result.rows = std::move(rows);
  }

  void work(Schedule& schedule) {
    struct JobEnd {  // also on exceptions, so that no thread waits for it
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
    Unit& unit = units_[job.unit];
    const Clock::time_point begin = Clock::now();
    if (unit.run == nullptr) {
      unit.run = std::make_unique<RecordingRun>(settings_, unit.round, *settings_.testees[unit.testee],
                                                *unit.recording, stop_, on_case_);
    }
    RecordingOutcome outcome = unit.run->run(job.share);
    if (job.is_last) end(unit);
    note_time(unit.testee, begin);
    // The user who stops the campaign may also stop its targets.
    const bool given_up = !outcome.unavailable.empty() && stop_();
    if (!outcome.unavailable.empty() && !given_up) {
      schedule.close(unit.testee);
      const std::lock_guard lock(mutex_);
      std::string& why = targets_[unit.testee].unavailable;
      if (why.empty()) why = outcome.unavailable;
      return;
    }
    unit.unfinished = outcome.stopped || given_up || !job.is_last;
    if (!outcome.result) return;
    listen(number, !outcome.silent, schedule);
    if (const auto trial = trials_.find(job.unit); trial != trials_.end())
      outcome.result->rows.insert(outcome.result->rows.end(), trial->second.begin(), trial->second.end());
    apply_expectations(*outcome.result, settings_.expectations);
    keep_shown_body(*outcome.result, *unit.recording);
    const std::size_t findings = deciding_findings(*outcome.result, settings_.strict);
    if (settings_.fail_fast && findings > 0 && !outcome.stopped) schedule.end_with(number);
    note(unit, std::move(*outcome.result), findings);
  }

  static void end(Unit& unit) {
    if (unit.run != nullptr) unit.run->keep();
    unit.run.reset();
  }

  // Stops a testee's jobs once it is silent for good.
  void listen(std::size_t number, bool answered, Schedule& schedule) {
    const std::size_t testee = units_[jobs_[number].unit].testee;
    Listening& listening = heard_[testee];
    std::unique_lock lock(mutex_);
    listening.silence.ended(jobs_[number].place, answered);
    while (const auto trial = listening.silence.trial()) {
      const recording::Recording& known = *units_[jobs_[listening.jobs[*trial]].unit].recording;
      lock.unlock();
      const bool answers_now = answers(*settings_.testees[testee], known);
      lock.lock();
      listening.silence.tried(answers_now);
    }
    if (listening.silence.last()) schedule.close(testee);
  }

  static bool answers(const testee::Testee& testee, const recording::Recording& recording) {
    Upstream upstream{recording.body, {}, recording.end};
    testee::Exchange exchange = exchange_of(upstream, recording);
    exchange.name = to_string({recording.id, testee.client()});
    return testee.observe(exchange).ending != testee::Ending::hung;
  }

  void note(Unit& unit, RecordingResult result, std::size_t findings) {
    const std::lock_guard lock(mutex_);
    progress_.findings += findings - unit.findings;
    unit.findings = findings;
    progress_.begun += unit.result ? 0 : 1;
    unit.result = std::move(result);
    if (settings_.on_result) settings_.on_result(*unit.result);
    if (unit.unfinished) return;
    ++progress_.done;
    progress_.planned += unit.result->cases + unit.result->unrun - unit.extent.cases;
    show();
  }

  void note_time(std::size_t testee, Clock::time_point begin) {
    const Clock::time_point end = Clock::now();
    const std::lock_guard lock(mutex_);
    Times& times = times_[testee];
    times.begin = std::min(times.begin, begin);
    times.end = std::max(times.end, end);
    times.busy += end - begin;
  }

  void note_case() {
    ++tried_;
    const Clock::duration now = Clock::now().time_since_epoch();
    Clock::duration last = shown_;
    if (now - last < kBetweenProgress || !shown_.compare_exchange_strong(last, now)) return;
    const std::lock_guard lock(mutex_);
    show();
  }

  void show() {
    progress_.cases = tried_;
    on_progress_(progress_);
  }

  Results finished(std::size_t wanted) {
    for (Unit& unit : units_) end(unit);  // some units did not run their last share
    Results all;
    all.planned = progress_.planned;
    std::map<std::size_t, std::size_t> first_jobs;  // by unit
    for (std::size_t number = 0; number < wanted; ++number) first_jobs.emplace(jobs_[number].unit, number);
    for (const auto& [number_of_unit, first_job] : first_jobs) {
      Unit& unit = units_[number_of_unit];
      TargetResult& target = targets_[unit.testee];
      const bool statuses = unit.round == Round::statuses;
      const bool silent = is_after_its_last(first_job);
      if (silent) unit.result = not_run(unit);
      if (!silent && target.unavailable.empty() && (!unit.result || unit.unfinished))
        all.cut_short |= stop_();
      if (!unit.result || unit.unfinished) target.undone += target.unavailable.empty() || statuses ? 0 : 1;
      if (!unit.result) {
        all.unreached += !statuses && all.cut_short ? 1 : 0;
        continue;
      }
      RecordingResult& result = *unit.result;
      if (result.cases + result.unrun == 0) continue;
      target.unrun += result.cases == 0 && !statuses ? 1 : 0;
      target.cases += result.cases;
      target.called += result.called;
      target.broken += result.broken;
      const auto earlier =
          std::find_if(all.recordings.begin(), all.recordings.end(), [&](const RecordingResult& known) {
            return known.recording.id == result.recording.id &&
                   known.recording.digest == result.recording.digest && known.target == result.target;
          });
      if (earlier != all.recordings.end()) {
        join(*earlier, std::move(result));
      } else {
        all.recordings.push_back(std::move(result));
      }
    }
    for (RecordingResult& result : acts_) {
      for (TargetResult& target : targets_) {
        target.cases += target.target == result.target ? result.cases : 0;
        target.called += target.target == result.target ? result.called : 0;
      }
      all.recordings.push_back(std::move(result));
    }
    all.targets = std::move(targets_);
    for (std::size_t i = 0; i < settings_.testees.size(); ++i) all.paces.push_back(pace_of(i));
    for (const testee::Testee* testee : settings_.testees)
      add_mishaps(all.recordings, testee->name(), testee->mishaps());
    for (RecordingResult& result : all.recordings) {
      apply_expectations(result, settings_.expectations);
      keep_shown_body(result, settings_.recording(result.recording));
    }
    return all;
  }

  Pace pace_of(std::size_t testee) const {
    using Seconds = std::chrono::duration<double>;
    const auto units = static_cast<std::size_t>(
        std::count_if(units_.begin(), units_.end(), [&](const Unit& unit) { return unit.testee == testee; }));
    const std::size_t at_once =
        std::min({units, std::size_t{settings_.jobs}, settings_.testees[testee]->traits().max_concurrency});
    const auto known = times_.find(testee);
    if (known == times_.end()) return {0, 0, at_once};
    const Times& times = known->second;
    return {Seconds(times.end - times.begin).count(), Seconds(times.busy).count(), at_once};
  }

  bool is_after_its_last(std::size_t number) const {
    const auto last = heard_[units_[jobs_[number].unit].testee].silence.last();
    return last && jobs_[number].place > *last;
  }

  RecordingResult not_run(const Unit& unit) const {
    RecordingResult result;
    result.target = settings_.testees[unit.testee]->name();
    result.recording = recorded_of(*unit.recording);
    result.unrun = unit.extent.cases;
    return result;
  }

  const CampaignSettings& settings_;
  std::map<std::size_t, std::vector<Row>> trials_;  // by unit; made before the threads start
  std::vector<RecordingResult> acts_;               // acts that `only` names; made before the threads start
  const std::function<void(const CampaignProgress&)>& on_progress_;
  const std::function<bool()>& stop_;
  const std::function<void()> on_case_ = [this] { note_case(); };
  std::vector<Job> jobs_;
  std::atomic<std::size_t> tried_ = 0;
  std::atomic<Clock::duration> shown_ = Clock::duration();
  std::mutex mutex_;  // guards the members below
  std::vector<Unit> units_;
  struct Listening {
    std::vector<std::size_t> jobs;  // of the testee
    DeadTargetDetector silence;
  };
  std::vector<Listening> heard_;  // by testee
  std::vector<TargetResult> targets_;
  struct Times {
    Clock::time_point begin = Clock::time_point::max();
    Clock::time_point end = Clock::time_point::min();
    Clock::duration busy = Clock::duration();
  };
  std::map<std::size_t, Times> times_;  // by testee
  CampaignProgress progress_;
};

}  // namespace

const recording::Recording& CampaignSettings::recording(const results::Recorded& recorded) const {
  return **std::find_if(recordings.begin(), recordings.end(),
                        [&](const recording::Recording* one) { return one->id == recorded.id; });
}

Results run(const CampaignSettings& settings, const std::function<void(const CampaignProgress&)>& on_progress,
            const std::function<bool()>& stop) {
  return Campaign(settings, on_progress, stop).run();
}

}  // namespace splitproof::campaign
