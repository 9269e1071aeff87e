#include "harness/campaign/recording_run.hpp"

#include <functional>
#include <iterator>
#include <tuple>
#include <utility>

#include "harness/campaign/baselines.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/exhibits.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/campaign/outcomes.hpp"
#include "harness/campaign/runner.hpp"
#include "harness/campaign/standing.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/split/generator.hpp"

namespace splitproof::campaign {
namespace {

Trials trials_of(const Settings& settings, Round round) {
  Trials trials = settings.trials;
  trials.round = round;
  return trials;
}

RecordingResult begin_result(const Judge& judge, const recording::Recording& recording) {
  RecordingResult result;
  result.target = judge.testee().name;
  result.recording = &recording;
  result.passes_no_stream = judge.passes_no_stream();
  return result;
}

void finish(RecordingResult& result, const Outcomes& outcomes) {
  result.outputs = outcomes.bodies();
  result.rows = outcomes.rows();
  result.behaviours = outcomes.behaviours();
}

// One case, or several that looked alike.
void count(RecordingResult& result, const Case& one, const testee::Observation& seen,
           const testee::Traits& testee, std::size_t cases) {
  result.cases += cases;
  result.recuts += one.recut.empty() ? 0 : cases;
  result.faults += one.fault ? cases : 0;
  result.called += called_upstream(seen, testee) ? cases : 0;
}

class RecordingRun {
 public:
  RecordingRun(const Settings& settings, Round round, const testee::Testee& testee,
               const recording::Recording& recording, const std::function<bool()>& stop)
      : settings_(settings),
        trials_(trials_of(settings, round)),
        stop_(stop),
        recording_(recording),
        subject_(subject_of(recording)),
        runner_(testee, recording),
        judge_(*settings.contracts, settings.profile, testee::traits_of(testee), recording),
        outcomes_(judge_, static_cast<bool>(settings.keep)),
        as_recorded_{recording.id, testee.client()},
        baselines_(judge_, [this](const Upstream& upstream) { return as_arrived(upstream); }),
        result_(begin_result(judge_, recording)) {}

  RecordingOutcome run() && {
    if (runner_.lost().empty()) {
      for_each_variation(recording_, judge_.testee().client, trials_, settings_.only,
                         [this](Variation variation) { return take(std::move(variation)); });
    }
    if (!runner_.lost().empty()) return {std::nullopt, runner_.lost()};
    if (outcomes_.empty()) return stopped_ ? RecordingOutcome() : RecordingOutcome{std::move(result_)};
    if (settings_.keep && !stopped_) settings_.keep(evidence(), trials_.round);
    finish(result_, outcomes_);
    RecordingOutcome outcome{std::move(result_)};
    outcome.silent = runner_.is_silent();
    outcome.stopped = stopped_;
    return outcome;
  }

 private:
  // What a body comes to as its events arrive is not a case; it is what cases are held against.
  testee::Observation as_arrived(const Upstream& upstream) {
    testee::Observation seen = runner_.as_arrived(as_recorded_, upstream);
    if (settings_.keep) {
      exhibits_.push_back(exhibit_of(to_string(as_recorded_), upstream, {}, seen));
      exhibits_.back().cases = 0;
    }
    return seen;
  }

  evidence::Evidence evidence() {
    evidence::Evidence evidence;
    evidence.version = SPLITPROOF_VERSION;
    evidence.testee = judge_.testee();
    evidence.profile = settings_.profile.name;
    evidence.recording = recording_;
    evidence.exhibits = std::move(exhibits_);
    std::vector<evidence::Exhibit> of_cases = outcomes_.exhibits();
    std::move(of_cases.begin(), of_cases.end(), std::back_inserter(evidence.exhibits));
    return evidence;
  }

  // Tries one body in those of its cases that are selected. False once the campaign is to stop.
  bool take(Variation variation) {
    as_recorded_ = variation.as_recorded;
    const bool is_recut = !as_recorded_.recut.empty();
    const bool is_whole_recording = !is_recut && !as_recorded_.fault;
    if (!is_whole_recording && runner_.leaves_out(as_recorded_)) {
      result_.unrun += variation.count();
      return true;
    }
    UpstreamBody body{judge_.read(variation.as_arrived, as_recorded_.fault.has_value()), {}};
    if (is_recut && !says_the_same(body.reading.meaning, judge_.recorded().meaning)) {
      result_.changed_recuts.push_back(as_recorded_.recut);
      return true;
    }
    body.baseline = baselines_.of(body.reading, variation.as_arrived);

    split::SeamCounter seams(subject_);
    Upstream upstream = std::move(variation.as_arrived);
    const bool goes_on = variation.for_each_case([&](const Case& one, split::Cuts cuts) {
      stopped_ = stop_();
      if (stopped_) return false;
      if (is_whole_recording) seams.add(cuts);
      if (is_whole_recording && runner_.leaves_out(one)) {
        ++result_.unrun;
        return true;
      }
      upstream.cuts = std::move(cuts);
      upstream.withheld = one.withheld();
      const testee::Observation seen = runner_.run(one, judge_.exchange(body.reading, upstream));
      // The signal that stops a campaign may have ended the testee too.
      stopped_ = seen.ending != testee::Ending::complete && stop_();
      if (stopped_ || !runner_.lost().empty()) return false;
      count(result_, one, seen, judge_.testee(), 1);
      result_.broken += standing_of(seen, judge_.testee(), upstream).broke.empty() ? 0 : 1;
      outcomes_.add(one, upstream, body, seen);
      return true;
    });
    if (is_whole_recording) result_.coverage = seams.coverage();
    return goes_on;
  }

  const Settings& settings_;
  const Trials trials_;
  const std::function<bool()>& stop_;
  const recording::Recording& recording_;
  const split::Subject subject_;
  Runner runner_;
  const Judge judge_;
  Outcomes outcomes_;
  std::vector<evidence::Exhibit> exhibits_;  // of no cases
  Case as_recorded_;                         // of the body at hand
  const Baselines baselines_;
  RecordingResult result_;
  bool stopped_ = false;
};

}  // namespace

bool says_the_same(const observe::Answer& a, const observe::Answer& b) {
  return std::tie(a.model, a.begins_with_text, a.parts, a.finish, a.done, a.error, a.usage, a.extra) ==
         std::tie(b.model, b.begins_with_text, b.parts, b.finish, b.done, b.error, b.usage, b.extra);
}

RecordingOutcome run_recording(const Settings& settings, Round round, const testee::Testee& testee,
                               const recording::Recording& recording, const std::function<bool()>& stop) {
  return RecordingRun(settings, round, testee, recording, stop).run();
}

Result<RecordingResult> judge_again(const Settings& settings, const evidence::Evidence& evidence) {
  const Judge judge(*settings.contracts, settings.profile, evidence.testee, *evidence.recording);
  const Baselines baselines(judge, [&](const Upstream& upstream) { return as_arrived(evidence, upstream); });
  RecordingResult result = begin_result(judge, *evidence.recording);
  Outcomes outcomes(judge, false);
  std::optional<UpstreamBody> body;
  Upstream read;
  for (const evidence::Exhibit& exhibit : evidence.exhibits) {
    if (exhibit.cases == 0) continue;
    const auto one = parse_case(exhibit.case_id);
    if (!one) return tl::unexpected(one.error());
    const Upstream upstream = upstream_of(exhibit, *one);
    const bool is_recorded = !one->fault && upstream.body == judge.upstream().body;
    if (!body || read.body != upstream.body || read.end != upstream.end || read.status != upstream.status ||
        read.leave_at != upstream.leave_at) {
      read = upstream;
      const Upstream& arrived = is_recorded ? judge.upstream() : upstream;
      body = UpstreamBody{judge.read(arrived, one->fault.has_value()), {}};
      body->baseline = baselines.of(body->reading, arrived);
    }
    count(result, *one, exhibit.seen, judge.testee(), exhibit.cases);
    outcomes.add(*one, upstream, *body, exhibit.seen, exhibit.cases);
  }
  finish(result, outcomes);
  return result;
}

bool selects(const Settings& settings, Round round, const testee::Testee& testee,
             const recording::Recording& recording) {
  if (settings.only.empty()) return true;
  bool any = false;
  for_each_variation(recording, testee.client(), trials_of(settings, round), settings.only,
                     [&](const Variation&) {
                       any = true;
                       return false;
                     });
  return any;
}

std::size_t count_cases(const Settings& settings, Round round, const testee::Testee& testee,
                        const recording::Recording& recording) {
  std::size_t cases = 0;
  for_each_variation(recording, testee.client(), trials_of(settings, round), settings.only,
                     [&](const Variation& variation) {
                       cases += variation.count();
                       return true;
                     });
  return cases;
}

}  // namespace splitproof::campaign
