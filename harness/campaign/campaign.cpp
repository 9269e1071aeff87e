#include "harness/campaign/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/client_breaks.hpp"
#include "harness/campaign/dead_target.hpp"
#include "harness/campaign/mishaps.hpp"
#include "harness/campaign/planned_round.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/campaign/schedule.hpp"
#include "harness/campaign/spread.hpp"
#include "harness/campaign/target_trials.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/results/join.hpp"

namespace splitproof::campaign {

using results::RecordingResult;
using results::Row;
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenProgress = std::chrono::milliseconds(100);

// A planned round, and what runs of it.
struct Unit : PlannedRound {
  std::unique_ptr<RunCalls> calls = {};        // of `run`
  std::unique_ptr<RecordingRun> run = {};      // from its first job to its last
  std::optional<RecordingResult> result = {};  // of the finished jobs
  std::size_t findings = 0;                    // in `result`
  bool unfinished = false;

  bool is_late() const { return place.round == Round::statuses; }
};

// A share of its cases.
struct Job {
  std::size_t unit;
  Share share;
  std::size_t place;     // among the jobs of its testee
  bool is_last = false;  // the last job of the unit
  bool ended = false;    // with all its cases
};

std::size_t deciding_findings(const RecordingResult& result, bool strict) {
  return static_cast<std::size_t>(std::count_if(result.rows.begin(), result.rows.end(), [&](const Row& row) {
    return row.verdict == contract::Verdict::violated && !row.expectation && results::decides(row, strict);
  }));
}

class Campaign {
 public:
  Campaign(const CampaignSettings& settings, const std::function<void(const CampaignProgress&)>& on_progress,
           const std::function<bool()>& stop)
      : settings_(settings), rules_(rules_of(*settings.contracts)), on_progress_(on_progress), stop_(stop) {
    for (std::size_t i = 0; i < settings.testees.size(); ++i) add_units(i);
    add_jobs();
    for (const Unit& unit : units_) progress_.total += unit.range.empty() ? 0 : 1;
  }

  Results run() && {
    // Runs first, before injected failures of the upstream can affect the testee.
    std::vector<const PlannedRound*> rounds;
    for (const Unit& unit : units_) rounds.push_back(&unit);
    trials_ = run_trials(settings_, rounds, stop_);
    std::vector<Schedule::Job> order;
    std::vector<std::optional<std::size_t>> before(units_.size());
    for (std::size_t number = 0; number < jobs_.size(); ++number) {
      const std::size_t unit = jobs_[number].unit;
      order.push_back({units_[unit].testee, units_[unit].is_late(), before[unit]});
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
  struct Counted {
    const recording::Recording* recording;
    Extent early = {};
    Extent statuses = {};
  };

  // Counts the cases of the testee's recordings, of several at once. Recuts and random splits are made to be counted, so
  // this takes most of the time of a small shard.
  std::vector<Counted> count_cases(const testee::Testee& testee, Round round, bool has_statuses) const {
    std::vector<Counted> all;
    for (const recording::Recording* recording : settings_.recordings) {
      if (!testee.traits().takes(recording->protocol)) continue;
      if (is_about_request(*recording) && !recording->requests->contains(testee.client())) continue;
      all.push_back({recording});
    }
    std::atomic<std::size_t> next = 0;
    const auto count = [&] {
      for (std::size_t i = next++; i < all.size(); i = next++) {
        const Surveyed surveyed(*all[i].recording);
        all[i].early = extent_of(settings_, round, settings_.whole_share(), testee, surveyed);
        if (has_statuses)
          all[i].statuses = extent_of(settings_, Round::statuses, settings_.whole_share(), testee, surveyed);
      }
    };
    std::vector<std::future<void>> others;
    const std::size_t threads = std::min<std::size_t>(std::thread::hardware_concurrency(), all.size());
    for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, count));
    count();
    for (std::future<void>& other : others) other.get();
    return all;
  }

  void add_units(std::size_t place) {
    const testee::Testee& testee = *settings_.testees[place];
    const bool reads_socket = testee.traits().reads_socket();
    const Round round = reads_socket ? Round::over_http : Round::exact;
    const bool has_statuses = reads_socket && (settings_.trials.faults || settings_.trials.listed != nullptr);
    TargetResult& target = targets_.emplace_back();
    target.target = testee.name();
    std::vector<Unit> late;
    const bool runs_all = settings_.only.empty() && settings_.trials.listed == nullptr;
    for (const auto& [recording, early, statuses] : count_cases(testee, round, has_statuses)) {
      const bool runs_early = runs_all || early.cases > 0;
      const bool runs_late = has_statuses && (runs_all || statuses.cases > 0);
      if ((runs_early || runs_late) && !claims(testee, *recording, settings_.profile)) {
        target.unclaimed += runs_early ? 1 : 0;
        continue;
      }
      if (runs_early) units_.push_back({{place, recording, early, {round}}});
      if (runs_late) late.push_back({{place, recording, statuses, {Round::statuses}}});
    }
    std::move(late.begin(), late.end(), std::back_inserter(units_));
  }

  // Adds jobs share by share; the few statuses come last.
  void add_jobs() {
    const std::size_t shares = settings_.shares.size();
    const std::vector<std::size_t> order = shares > 1 ? spread(units_.size()) : in_order(units_.size());
    if (shares > 1) add_first_two_shares(order);
    for (std::size_t share = shares > 1 ? 2 : 0; share < shares; ++share)
      for (const std::size_t number : order) add_job(number, share);
    for (const std::size_t number : order)
      if (units_[number].is_late()) jobs_.push_back({number, settings_.whole_share(), 0});
    for (const Unit& unit : units_) planned_ += unit.extent.cases;
    if (settings_.most_cases) keep_first_jobs(*settings_.most_cases);
    keep_own_jobs();
    for (const Unit& unit : units_) progress_.planned += unit.planned();
    std::vector<std::size_t> places(settings_.testees.size());
    std::set<std::size_t> ended_units;
    for (auto job = jobs_.rbegin(); job != jobs_.rend(); ++job)
      job->is_last = ended_units.insert(job->unit).second;
    for (Job& job : jobs_) job.place = places[units_[job.unit].testee]++;
    for (std::size_t i = 0; i < places.size(); ++i) heard_.push_back({{}, DeadTargetDetector(places[i])});
    for (std::size_t number = 0; number < jobs_.size(); ++number)
      heard_[units_[jobs_[number].unit].testee].jobs.push_back(number);
  }

  void add_job(std::size_t number, std::size_t share) {
    const Unit& unit = units_[number];
    const std::size_t first = settings_.shares[share].begin;
    if (!unit.is_late() && (first == 0 || first < unit.extent.ranks))
      jobs_.push_back({number, settings_.shares[share], 0});
  }

  // The first share is one unbroken read, and the second has every other kind of case. Time may run out, so one
  // second share follows each few first shares. Those of bodies with multibyte characters come first, because
  // many programs break only these.
  void add_first_two_shares(const std::vector<std::size_t>& order) {
    constexpr std::size_t kFirstShares = 8;
    std::vector<std::size_t> seconds = order;
    std::stable_partition(seconds.begin(), seconds.end(), [&](std::size_t number) {
      return std::any_of(units_[number].recording->body.begin(), units_[number].recording->body.end(),
                         [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    });
    std::vector<bool> has_begun(units_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      add_job(order[i], 0);
      has_begun[order[i]] = true;
      if (i % kFirstShares != kFirstShares - 1) continue;
      const auto second =
          std::find_if(seconds.begin(), seconds.end(), [&](std::size_t number) { return has_begun[number]; });
      add_job(*second, 1);
      seconds.erase(second);
    }
    for (const std::size_t number : seconds) add_job(number, 1);
  }

  // Drops the jobs of each testee from the first one with which it would have more cases.
  void keep_first_jobs(std::size_t most_cases) {
    std::vector<std::size_t> left(settings_.testees.size(), most_cases);
    std::vector<bool> full(settings_.testees.size());
    std::map<std::size_t, std::size_t> kept;  // cases by unit
    std::erase_if(jobs_, [&](const Job& job) {
      const std::size_t testee = units_[job.unit].testee;
      const std::size_t cases = full[testee] ? 0 : cases_of(job);
      full[testee] = full[testee] || cases > left[testee];
      if (full[testee]) return drops_jobs_ = true;
      left[testee] -= cases;
      kept[job.unit] += cases;
      return false;
    });
    for (std::size_t number = 0; number < units_.size(); ++number) {
      const bool is_reached = kept.contains(number);
      units_[number].extent.cases = is_reached ? kept[number] : 0;
      unreached_ += is_reached || units_[number].is_late() ? 0 : 1;
    }
  }

  // Keeps the jobs of this shard that an earlier run did not finish.
  void keep_own_jobs() {
    std::vector<PlannedRound*> rounds;
    for (Unit& unit : units_) rounds.push_back(&unit);
    done_ = place(rounds, settings_);
    std::erase_if(jobs_, [&](const Job& job) { return units_[job.unit].range.empty(); });
  }

  std::size_t cases_of(const Job& job) const {
    const Unit& unit = units_[job.unit];
    return extent_of(settings_, unit.place.round, job.share, *settings_.testees[unit.testee],
                     Surveyed(*unit.recording))
        .cases;
  }

  // Counts the cases of each testee up to its first job that did not end. Returns the smallest count.
  std::size_t repeatable() const {
    std::map<std::size_t, std::size_t> cases;  // by testee
    std::set<std::size_t> unended;
    for (const Job& job : jobs_) {
      const std::size_t testee = units_[job.unit].testee;
      if (!job.ended) unended.insert(testee);
      if (unended.count(testee) == 0) cases[testee] += cases_of(job);
    }
    std::size_t fewest = cases.empty() ? 0 : cases.begin()->second;
    for (const auto& [testee, count] : cases) fewest = std::min(fewest, count);
    return fewest;
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
    Job& job = jobs_[number];
    Unit& unit = units_[job.unit];
    const Clock::time_point begin = Clock::now();
    const testee::InstanceClaim claim(*settings_.testees[unit.testee]);
    const testee::Testee& instance = claim.instance();
    if (unit.run == nullptr) {
      unit.calls = std::make_unique<RunCalls>(RunCalls{stop_, on_case_, {}});
      if (settings_.on_part)
        unit.calls->on_part = [this, &unit, trials = trials_of(unit)](const RecordingResult& part) mutable {
          report_part(unit, part, std::exchange(trials, {}));
        };
      unit.run =
          std::make_unique<RecordingRun>(settings_, unit.place, instance, *unit.recording, *unit.calls);
    }
    RecordingOutcome outcome = unit.run->run(job.share, unit.range, instance);
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
    job.ended = outcome.result && !outcome.stopped && !given_up;
    if (!outcome.result) return;
    listen(number, !outcome.silent, instance, schedule);
    add_rows(*outcome.result, trials_of(unit));
    complete(*outcome.result, *unit.recording);
    const std::size_t findings = deciding_findings(*outcome.result, settings_.strict);
    if (settings_.fail_fast && findings > 0 && !outcome.stopped) schedule.end_with(number);
    note(unit, std::move(*outcome.result), findings);
  }

  std::vector<Row> trials_of(const Unit& unit) const {
    const auto rows = trials_.rows.find(&unit);
    return rows == trials_.rows.end() ? std::vector<Row>() : rows->second;
  }

  static void add_rows(RecordingResult& result, const std::vector<Row>& rows) {
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }

  // Sets what depends on all cases of a result.
  void complete(RecordingResult& result, const recording::Recording& recording) const {
    if (settings_.clients != nullptr)
      mark_client_breaks(result, settings_.profile.name, rules_, *settings_.contracts, *settings_.clients);
    apply_expectations(result, settings_.expectations);
    keep_shown_body(result, recording);
  }

  void report_part(const Unit& unit, RecordingResult part, const std::vector<Row>& trials) {
    add_rows(part, trials);
    complete(part, *unit.recording);
    const std::lock_guard lock(parts_mutex_);
    settings_.on_part(part);
  }

  static void end(Unit& unit) {
    if (unit.run != nullptr) unit.run->keep();
    unit.run.reset();
  }

  // Stops a testee's jobs once it is silent for good.
  void listen(std::size_t number, bool answered, const testee::Testee& instance, Schedule& schedule) {
    const std::size_t testee = units_[jobs_[number].unit].testee;
    Listening& listening = heard_[testee];
    std::unique_lock lock(mutex_);
    listening.silence.ended(jobs_[number].place, answered);
    while (const auto trial = listening.silence.trial()) {
      const recording::Recording& known = *units_[jobs_[listening.jobs[*trial]].unit].recording;
      lock.unlock();
      const bool answers_now = answers(instance, known);
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
    if (unit.unfinished) return;
    ++progress_.done;
    progress_.planned += unit.result->cases + unit.result->unrun - unit.planned();
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
    all.planned = settings_.most_cases || settings_.shard ? planned_ : progress_.planned;
    if (settings_.shares.size() > 1) all.repeatable = repeatable();
    all.cut_short = drops_jobs_;
    if (!settings_.shard || settings_.shard->number == 0) all.unreached = unreached_;
    for (RecordingResult& result : done_) take(std::move(result), all);
    std::map<std::size_t, std::size_t> first_jobs;  // by unit
    for (std::size_t number = 0; number < wanted; ++number) first_jobs.emplace(jobs_[number].unit, number);
    for (const auto& [number_of_unit, first_job] : first_jobs) {
      Unit& unit = units_[number_of_unit];
      TargetResult& target = targets_[unit.testee];
      const bool statuses = unit.is_late();
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
      // A part without a case may have skipped recuts, and fills its place.
      if (result.cases + result.unrun == 0 && !settings_.shard) continue;
      target.unrun += result.cases == 0 && result.unrun > 0 && !statuses ? 1 : 0;
      target.broken += result.broken;
      take(std::move(result), all);
    }
    for (RecordingResult& result : all.recordings)
      if (!settings_.shard || (result.part && result.part->is_whole())) result.part.reset();
    for (RecordingResult& result : trials_.acts) {
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
    for (RecordingResult& result : all.recordings) complete(result, settings_.recording(result.recording));
    return all;
  }

  // Joins the results of the rounds.
  void take(RecordingResult result, Results& all) {
    const auto target = std::find_if(targets_.begin(), targets_.end(),
                                     [&](const TargetResult& one) { return one.target == result.target; });
    target->cases += result.cases;
    target->called += result.called;
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

  Pace pace_of(std::size_t testee) const {
    using Seconds = std::chrono::duration<double>;
    const auto units =
        static_cast<std::size_t>(std::count_if(units_.begin(), units_.end(), [&](const Unit& unit) {
          return unit.testee == testee && !unit.range.empty();
        }));
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
    result.unrun = unit.planned();
    if (unit.place.of > 0)
      result.part = {
          unit.place.begin + unit.range.begin, unit.place.begin + unit.range.end, unit.place.of, {}};
    return result;
  }

  const CampaignSettings& settings_;
  const results::Rules rules_;
  TargetTrials trials_;                // made before the threads start
  std::vector<RecordingResult> done_;  // by an earlier run
  const std::function<void(const CampaignProgress&)>& on_progress_;
  const std::function<bool()>& stop_;
  const std::function<void()> on_case_ = [this] { note_case(); };
  std::vector<Job> jobs_;
  std::atomic<std::size_t> tried_ = 0;
  std::atomic<Clock::duration> shown_ = Clock::duration();
  std::mutex parts_mutex_;
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
  std::size_t planned_ = 0;             // cases of the whole campaign, in all shards and beyond the limit
  std::size_t unreached_ = 0;           // units without jobs because of the limit of cases
  bool drops_jobs_ = false;             // because of the limit of cases
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
