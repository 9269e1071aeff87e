#include "harness/campaign/recording_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <tuple>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/baselines.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/exhibits.hpp"
#include "harness/campaign/further_turn.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/campaign/outcomes.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/runner.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/results/join.hpp"

namespace splitproof::campaign {

using results::RecordingResult;
namespace {

Trials trials_of(const CampaignSettings& settings, Round round, const Share& share,
                 const testee::Traits& testee) {
  Trials trials = settings.trials;
  trials.round = round;
  trials.share = share;
  trials.frames = testee.upstream_socket;
  trials.has_whole = !testee.client_socket && !testee.upstream_socket;
  return trials;
}

RecordingResult begin_result(const Judge& judge, const recording::Recording& recording) {
  RecordingResult result;
  result.target = judge.testee().name;
  result.recording = recorded_of(recording);
  result.passes_no_stream = judge.passes_no_stream();
  return result;
}

// Counts one case, or several with equal observations, each under one kind.
void count(RecordingResult& result, const Case& one, const testee::Observation& seen,
           const testee::Traits& testee, std::size_t cases) {
  result.cases += cases;
  if (one.turn != Turn::first)
    result.turns += cases;
  else if (one.alteration() != Alteration::none)
    result.faults += cases;
  else if (!one.recut.empty())
    result.recuts += cases;
  result.called += called_upstream(seen, testee) ? cases : 0;
}

using Clock = std::chrono::steady_clock;

// Longest time without a part for `on_part`, so that a program that is killed loses little.
constexpr auto kBetweenParts = std::chrono::seconds(5);

// The same on every machine. Bodies of the two rounds over HTTP count twice.
std::string name_of(const Digest& body, Round round) {
  return fmt::format("{}{:x}-{:016x}", round == Round::statuses ? "statuses-" : "", body.size, body.second);
}

// Adds the results of a share's cases.
void take_over(const Outcomes& outcomes, RecordingResult& result) {
  add(result, outcomes.rows(), outcomes.behaviours());
  result.outputs = outcomes.bodies();
}

// Returns the outcome of a second turn with this upstream, which `judge` judges. Its answer is its own baseline.
Outcomes outcomes_of(const Judge& judge, const Case& one, const Upstream& upstream,
                     const testee::Observation& seen, bool keeps_evidence) {
  const Baselines baselines(judge, [&](const Upstream&) { return seen; });
  UpstreamReading reading = judge.read(upstream, one.alteration());
  const Baseline baseline = baselines.of(reading, upstream);
  UpstreamBody body{std::move(reading), baseline};
  Outcomes outcomes(judge, keeps_evidence);
  outcomes.add(one, upstream, body, seen);
  return outcomes;
}

}  // namespace

class RecordingRun::Impl {
 public:
  Impl(const CampaignSettings& settings, RoundPlace place, const testee::Testee& testee,
       const recording::Recording& recording, const RunCalls& calls)
      : settings_(settings),
        place_(place),
        calls_(calls),
        recording_(recording),
        testee_(&testee),
        surveyed_(recording),
        runner_(testee, recording),
        judge_(*settings.contracts, settings.profile, testee.traits(), recording),
        outcomes_(judge_, static_cast<bool>(settings.keep)),
        as_recorded_{recording.id, testee.client()},
        baselines_(judge_, [this](const Upstream& upstream) { return as_arrived(upstream); }),
        part_(begin_result(judge_, recording)) {}

  RecordingOutcome run(const Share& share, const shard::CaseRange& range, const testee::Testee& testee) {
    testee_ = &testee;
    runner_.use(testee);
    position_ = 0;
    range_ = range;
    begin_part(range.begin);
    if (lost().empty()) {
      for_each_variation(surveyed_, judge_.testee().client,
                         trials_of(settings_, place_.round, share, judge_.testee()), settings_.only,
                         [this](Variation variation) { return take(std::move(variation)); });
    }
    if (!lost().empty()) return {std::nullopt, lost()};
    end_part();
    if (result_->cases == 0) return stopped_ ? RecordingOutcome() : RecordingOutcome{result_};
    RecordingOutcome outcome{result_};
    outcome.silent = runner_.is_silent();
    outcome.stopped = stopped_;
    return outcome;
  }

  void keep() {
    if (settings_.keep && !of_cases_.empty()) settings_.keep(evidence(), place_.round);
  }

 private:
  void begin_part(std::size_t position) {
    part_ = begin_result(judge_, recording_);
    part_begin_ = reached_ = position;
    next_part_ = Clock::now() + kBetweenParts;
    if (seams_) seams_.emplace(*surveyed_.subject());
  }

  // Adds the part to the result of the recording.
  void end_part() {
    add_outcomes();
    results::RecordingPart& part = part_.part.emplace();
    if (place_.of > 0) part = {place_.begin + part_begin_, place_.begin + reached_, place_.of, {}};
    for (const Digest& body : outcomes_.take_new_bodies()) part.outputs.insert(name_of(body, place_.round));
    part_.outputs = part.outputs.size();
    if (calls_.on_part && (reached_ > part_begin_ || part_.cases > 0)) calls_.on_part(part_);
    if (!result_) {
      result_ = std::move(part_);
    } else {
      join(*result_, std::move(part_));
    }
  }

  // All cases before this position have run, or need not run.
  void reach(std::size_t position) {
    reached_ = std::max(reached_, position);
    if (!calls_.on_part || Clock::now() < next_part_) return;
    end_part();
    begin_part(reached_);
  }

  void add_outcomes() {
    if (!stopped_) std::move(of_turns_.begin(), of_turns_.end(), std::back_inserter(of_cases_));
    of_turns_.clear();
    if (seams_) part_.coverage = seams_->coverage();
    if (outcomes_.empty()) return;
    add(part_, outcomes_.rows(), outcomes_.behaviours());
    if (settings_.keep && !stopped_) {
      std::vector<evidence::StoredExchange> seen = outcomes_.exhibits();
      std::move(seen.begin(), seen.end(), std::back_inserter(of_cases_));
    }
    outcomes_.begin_anew();
  }

  // The event-by-event run is the baseline, not a case.
  testee::Observation as_arrived(const Upstream& upstream) {
    testee::Observation seen = runner_.as_arrived(as_recorded_, upstream);
    if (settings_.keep) {
      as_arrived_.push_back(exhibit_of(to_string(as_recorded_), upstream, {}, seen));
      as_arrived_.back().cases = 0;
    }
    return seen;
  }

  evidence::Evidence evidence() {
    evidence::Evidence evidence;
    evidence.version = SPLITPROOF_VERSION;
    evidence.testee = judge_.testee();
    evidence.profile = settings_.profile.name;
    evidence.recording = recording_;
    if (place_.of > 0) evidence.begin = place_.begin + range_.begin;
    evidence.exhibits = std::exchange(as_arrived_, {});
    std::move(of_cases_.begin(), of_cases_.end(), std::back_inserter(evidence.exhibits));
    of_cases_.clear();
    return evidence;
  }

  // Runs the selected cases of one body. Returns false if the recording must end.
  bool take(Variation variation) {
    const std::size_t begin = position_;
    position_ += variation.count();
    if (position_ <= range_.begin) return true;
    if (begin >= range_.end) return false;
    as_recorded_ = variation.as_recorded;
    const bool goes_on = as_recorded_.turn != Turn::first ? take_further_turn(variation)
                                                          : take_body(std::move(variation), begin);
    if (goes_on) reach(std::min(position_, range_.end));
    return goes_on;
  }

  // `begin` is the position of the first case.
  bool take_body(Variation variation, std::size_t begin) {
    const bool is_recut = !as_recorded_.recut.empty() && as_recorded_.alteration() == Alteration::none;
    const bool is_whole_recording = as_recorded_.is_recorded();
    if (!is_whole_recording && runner_.leaves_out(as_recorded_)) {
      part_.unrun += std::min(position_, range_.end) - std::max(begin, range_.begin);
      return true;
    }
    UpstreamBody body{judge_.read(variation.as_arrived, as_recorded_.alteration()), {}};
    if (is_recut && !says_the_same(body.reading.meaning, judge_.recorded().meaning)) {
      // Another part may have its first case.
      if (begin >= range_.begin) part_.changed_recuts.push_back(as_recorded_.recut);
      return true;
    }
    body.baseline = baselines_.of(body.reading, variation.as_arrived);

    if (is_whole_recording && !seams_ && !is_about_request(recording_)) seams_.emplace(*surveyed_.subject());
    Upstream upstream = std::move(variation.as_arrived);
    return variation.for_each_case([&, position = begin](const Case& one, split::Cuts cuts) mutable {
      if (position >= range_.end) return true;
      if (position++ < range_.begin) return true;
      if (!take_case(one, std::move(cuts), upstream, body)) return false;
      reach(position);
      return true;
    });
  }

  bool take_case(const Case& one, split::Cuts cuts, Upstream& upstream, UpstreamBody& body) {
    stopped_ = calls_.stop();
    if (stopped_) return false;
    const bool is_whole_recording = one.is_recorded();
    if (is_whole_recording && seams_) seams_->add(cuts);
    if (is_whole_recording && runner_.leaves_out(one)) {
      ++part_.unrun;
      return true;
    }
    upstream.cuts = std::move(cuts);
    upstream.withheld = one.withheld();
    const testee::Observation seen = runner_.run(one, judge_.exchange(body.reading, upstream));
    // The signal that stops a campaign may have ended the testee too.
    stopped_ = seen.ending != testee::Ending::complete && calls_.stop();
    if (stopped_ || !runner_.lost().empty()) return false;
    count(part_, one, seen, judge_.testee(), 1);
    part_.broken += judgeability_of(seen, judge_.testee(), upstream).broke.empty() ? 0 : 1;
    outcomes_.add(one, upstream, body, seen);
    calls_.on_case();
    return true;
  }

  // Runs a further turn of the recording and judges it alone. Returns false if the campaign must stop.
  bool take_further_turn(const Variation& variation) {
    stopped_ = calls_.stop();
    if (stopped_) return false;
    if (baselines_.recorded().request.empty()) return true;  // it does not report its requests
    const std::optional<FurtherTurn> second = further_turn(as_recorded_.turn, judge_, baselines_.recorded());
    if (!second) return true;
    Runner runner(*testee_, second->recording);
    const Judge judge(*settings_.contracts, settings_.profile, judge_.testee(), second->recording,
                      second->answered, second->streamed);
    const UpstreamReading reading = judge.read(variation.as_arrived, as_recorded_.alteration());
    const testee::Observation seen = runner.run(as_recorded_, judge.exchange(reading, variation.as_arrived));
    stopped_ = seen.ending != testee::Ending::complete && calls_.stop();
    lost_ = runner.lost();
    if (stopped_ || !lost_.empty()) return false;
    Outcomes outcomes =
        outcomes_of(judge, as_recorded_, variation.as_arrived, seen, settings_.keep != nullptr);
    count(part_, as_recorded_, seen, judge.testee(), 1);
    add(part_, outcomes.rows(), outcomes.behaviours());
    if (settings_.keep) {
      std::vector<evidence::StoredExchange> exhibits = outcomes.exhibits();
      std::move(exhibits.begin(), exhibits.end(), std::back_inserter(of_turns_));
    }
    calls_.on_case();
    return true;
  }

  const std::string& lost() const { return lost_.empty() ? runner_.lost() : lost_; }

  const CampaignSettings& settings_;
  const RoundPlace place_;
  const RunCalls& calls_;
  const recording::Recording& recording_;
  const testee::Testee* testee_;
  const Surveyed surveyed_;
  std::optional<split::SeamCounter> seams_;
  Runner runner_;
  const Judge judge_;
  Outcomes outcomes_;  // of the current share
  std::vector<evidence::StoredExchange> as_arrived_;
  std::vector<evidence::StoredExchange> of_cases_;  // of complete shares
  std::vector<evidence::StoredExchange> of_turns_;  // second turns of the current share
  Case as_recorded_;                                // of the current body
  const Baselines baselines_;
  shard::CaseRange range_;    // of the current share
  std::size_t position_ = 0;  // of the next variation
  std::size_t reached_ = 0;   // of the next case to run
  std::size_t part_begin_ = 0;
  Clock::time_point next_part_;
  RecordingResult part_;                   // of the current part
  std::optional<RecordingResult> result_;  // of all parts so far
  std::string lost_;                       // reason why the testee was lost in a second turn
  bool stopped_ = false;
};

bool says_the_same(observe::Answer a, observe::Answer b) {
  for (observe::Answer* answer : {&a, &b}) forget_unread(*answer);
  return std::tie(a.model, a.begins_with_text, a.parts, a.finish, a.done, a.error, a.usage, a.extra) ==
         std::tie(b.model, b.begins_with_text, b.parts, b.finish, b.done, b.error, b.usage, b.extra);
}

RecordingRun::RecordingRun(const CampaignSettings& settings, RoundPlace place, const testee::Testee& testee,
                           const recording::Recording& recording, const RunCalls& calls)
    : impl_(std::make_unique<Impl>(settings, place, testee, recording, calls)) {}

RecordingRun::~RecordingRun() = default;

RecordingOutcome RecordingRun::run(const Share& share, const shard::CaseRange& range,
                                   const testee::Testee& testee) {
  return impl_->run(share, range, testee);
}

void RecordingRun::keep() { impl_->keep(); }

Result<RecordingResult> judge_again(const CampaignSettings& settings, const evidence::Evidence& evidence) {
  const Judge judge(*settings.contracts, settings.profile, evidence.testee, *evidence.recording);
  const Baselines baselines(judge, [&](const Upstream& upstream) { return as_arrived(evidence, upstream); });
  RecordingResult result = begin_result(judge, *evidence.recording);
  Outcomes outcomes(judge, false);
  std::optional<UpstreamBody> body;
  Upstream read;
  for (const evidence::StoredExchange& exhibit : evidence.exhibits) {
    if (exhibit.cases == 0) continue;
    const auto one = parse_case(exhibit.case_id);
    if (!one) return tl::unexpected(one.error());
    if (one->recording != evidence.recording->id)
      return tl::unexpected(Error{"a case belongs to the recording '" + one->recording +
                                      "', and the evidence belongs to '" + evidence.recording->id + "'",
                                  {},
                                  0,
                                  {}});
    if (one->turn != Turn::first) {
      const auto second = further_turn(one->turn, judge, baselines.recorded());
      if (!second)
        return tl::unexpected(Error{"no second turn can follow the answer of " + one->recording, {}, 0, {}});
      const Judge again(*settings.contracts, settings.profile, evidence.testee, second->recording,
                        second->answered, second->streamed);
      Outcomes of_turn = outcomes_of(again, *one, upstream_of(exhibit, *one), exhibit.seen, false);
      count(result, *one, exhibit.seen, judge.testee(), exhibit.cases);
      add(result, of_turn.rows(), of_turn.behaviours());
      continue;
    }
    const Upstream upstream = upstream_of(exhibit, *one);
    const bool is_recorded = one->alteration() == Alteration::none && upstream.body == judge.upstream().body;
    if (!body || read.body != upstream.body || read.end != upstream.end || read.status != upstream.status ||
        read.leave_at != upstream.leave_at || read.frames != upstream.frames) {
      read = upstream;
      const Upstream& arrived = is_recorded ? judge.upstream() : upstream;
      body = UpstreamBody{judge.read(arrived, one->alteration()), {}};
      body->baseline = baselines.of(body->reading, arrived);
    }
    count(result, *one, exhibit.seen, judge.testee(), exhibit.cases);
    outcomes.add(*one, upstream, *body, exhibit.seen, exhibit.cases);
  }
  take_over(outcomes, result);
  keep_shown_body(result, *evidence.recording);
  return result;
}

Extent extent_of(const CampaignSettings& settings, Round round, const Share& share,
                 const testee::Testee& testee, const Surveyed& surveyed) {
  return extent_of(surveyed, testee.client(), trials_of(settings, round, share, testee.traits()),
                   settings.only);
}

}  // namespace splitproof::campaign
