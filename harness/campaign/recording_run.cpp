#include "harness/campaign/recording_run.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/join.hpp"
#include "harness/campaign/judgement.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/silence.hpp"
#include "harness/campaign/standing.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/split/generator.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr std::size_t kShownBytes = 160;

// One of the different ways in which a recording's cases turned out.
struct Outcome {
  std::size_t cases = 0;
  Case shortest;               // the first of those of its cases with fewest cuts
  std::size_t number = 0;      // of that case
  Upstream upstream;           // of that case; its body is kept where there is evidence to show
  std::vector<Judged> judged;  // contracts, then META, then RUN
  bool shows = false;          // a violation, the testee's own or one that it passes on
  std::size_t exhibit = 0;     // of the evidence, where that is kept
  std::string body;            // downstream; kept where there is evidence to show

  // What a person would rather look at comes first.
  auto rank() const {
    return std::tuple(shortest.fault.has_value(), !shortest.recut.empty(), upstream.cuts.size(), number);
  }
};

std::string shortened(std::string_view text) {
  return std::string(text.substr(0, kShownBytes)) + (text.size() > kShownBytes ? "..." : "");
}

Trials trials_of(const Settings& settings, Round round) {
  Trials trials = settings.trials;
  trials.round = round;
  return trials;
}

bool is_violation(Verdict verdict) { return verdict == Verdict::violated || verdict == Verdict::passed_on; }

Row row_of(std::size_t position, const std::vector<Outcome>& outcomes, const testee::Testee& testee) {
  Row row;
  const Outcome* shown = nullptr;
  for (const Outcome& outcome : outcomes) {
    const Judged& judged = outcome.judged[position];
    row.obligation = judged.obligation;
    row.cases += outcome.cases;
    row.verdict = joined(row.verdict, judged.verdict);
    if (judged.verdict == Verdict::violated) row.violating += outcome.cases;
  }
  for (const Outcome& outcome : outcomes) {
    const Verdict verdict = outcome.judged[position].verdict;
    if (verdict != row.verdict || !is_violation(verdict)) continue;
    if (shown == nullptr || outcome.rank() < shown->rank()) shown = &outcome;
  }
  row.level = level_for(*row.obligation, testee);
  const auto decisive = std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
    return outcome.judged[position].verdict == row.verdict;
  });
  row.reason = decisive->judged[position].reason;
  if (shown == nullptr) return row;
  const Judged& judged = shown->judged[position];
  const std::size_t begin = std::min(judged.begin, shown->body.size());
  row.first = Reproducer{to_string(lasting(shown->shortest, shown->upstream.cuts)),
                         shown->shortest.recut.empty() && !shown->shortest.fault,
                         true,
                         shown->upstream,
                         judged.event,
                         judged.begin,
                         judged.end,
                         shortened(std::string_view(shown->body).substr(begin, judged.end - begin)),
                         judged.message};
  return row;
}

// How exchanges ended, for who counts those that hang. One whose upstream really falls silent tells nothing of that.
struct Heard {
  std::size_t hung = 0;
  std::size_t other = 0;

  void note(const testee::Testee& testee, const testee::Exchange& exchange, const testee::Observation& seen) {
    if (testee.over_http() && exchange.end == recording::End::stall && !exchange.status) return;
    ++(seen.ending == testee::Ending::hung ? hung : other);
  }
};

// What cases have in common that hang for one reason: how their upstream goes wrong, or that its body is cut or recut.
std::string kind_of(const Variation& variation) {
  const Case& one = variation.as_recorded;
  if (one.fault) return label(*one.fault).substr(0, label(*one.fault).find_first_of("@:"));
  return one.recut.empty() ? "split" : "recut";
}

// Hands on what another testee does with bodies as their events arrive, and remembers the last of it.
class Witness final : public testee::Testee {
 public:
  Witness(const testee::Testee& testee, std::string first) : name_(std::move(first)), testee_(testee) {}

  // The case that exchanges belong to from now on.
  void about(std::string name) { name_ = std::move(name); }

  std::string name() const override { return testee_.name(); }
  std::string client() const override { return testee_.client(); }
  std::string upstream() const override { return testee_.upstream(); }
  bool over_http() const override { return testee_.over_http(); }
  bool outside() const override { return testee_.outside(); }
  std::size_t at_once() const override { return testee_.at_once(); }
  const std::vector<std::string>& cannot() const override { return testee_.cannot(); }
  testee::Observation observe(const testee::Exchange& exchange) const override {
    testee::Exchange named = exchange;
    named.name = name_;
    last_ = testee_.observe(named);
    heard_.note(testee_, named, *last_);
    return *last_;
  }

  const std::optional<testee::Observation>& last() const { return last_; }
  const Heard& heard() const { return heard_; }

 private:
  std::string name_;
  const testee::Testee& testee_;
  mutable std::optional<testee::Observation> last_;  // a recording is run by one thread
  mutable Heard heard_;
};

evidence::Evidence evidence_of(const Settings& settings, const testee::Testee& testee,
                               const recording::Recording& recording) {
  evidence::Evidence evidence;
  evidence.version = SPLITPROOF_VERSION;
  evidence.target = testee.name();
  evidence.client = testee.client();
  evidence.upstream = testee.upstream();
  evidence.profile = settings.profile.name;
  evidence.over_http = testee.over_http();
  evidence.outside = testee.outside();
  evidence.cannot = testee.cannot();
  evidence.recording = recording;
  return evidence;
}

evidence::Exhibit exhibit_of(const std::string& case_id, const Upstream& upstream,
                             const testee::Exchange& exchange, const testee::Observation& seen) {
  evidence::Exhibit exhibit;
  exhibit.case_id = case_id;
  exhibit.upstream = upstream.body;
  exhibit.cuts = upstream.cuts;
  exhibit.end = upstream.end;
  exhibit.status = upstream.status;
  exhibit.leave_at = upstream.leave_at;
  for (const testee::Hold& hold : exchange.holds) exhibit.holds.push_back(hold.offset);
  exhibit.seen = seen;
  return exhibit;
}

Upstream upstream_of(const evidence::Exhibit& exhibit, const Case& one) {
  return {exhibit.upstream, exhibit.cuts, exhibit.end, exhibit.status, exhibit.leave_at, one.withheld()};
}

class RecordingRun {
 public:
  RecordingRun(const Settings& settings, Round round, const testee::Testee& testee,
               const recording::Recording& recording, const std::function<bool()>& stop)
      : settings_(settings),
        trials_(trials_of(settings, round)),
        testee_(testee),
        stop_(stop),
        subject_(subject_of(recording)),
        witness_(testee, to_string({recording.id, testee.client()})),
        judge_(*settings.contracts, settings.profile, witness_, recording) {
    result_.target = testee.name();
    result_.recording = &recording;
    result_.passes_no_stream = judge_.passes_no_stream();
    unavailable_ = judge_.unavailable();
  }

  RecordingOutcome run() && {
    if (settings_.keep) {
      kept_ = evidence_of(settings_, testee_, *result_.recording);
      for (const Judge::Held& held : judge_.held())
        keep_as_arrived({result_.recording->id, testee_.client()}, held.upstream, held.seen);
    }
    if (unavailable_.empty()) {
      for_each_variation(*result_.recording, testee_.client(), trials_, settings_.only,
                         [this](Variation variation) { return take(std::move(variation)); });
    }
    if (!unavailable_.empty()) return {std::nullopt, unavailable_};
    if (outcomes_.empty()) return stopped_ ? RecordingOutcome() : RecordingOutcome{std::move(result_)};
    if (settings_.keep && !stopped_) {
      for (const Outcome& outcome : outcomes_) kept_.exhibits[outcome.exhibit].cases = outcome.cases;
      settings_.keep(kept_, trials_.round);
    }
    RecordingOutcome outcome{finished()};
    const std::size_t hung = heard_.hung + witness_.heard().hung;
    outcome.silent = hung >= kMostHangs && heard_.other + witness_.heard().other == 0;
    outcome.stopped = stopped_;
    return outcome;
  }

  // Judges what was seen once more. An Error names the exhibit whose case is none of this recording.
  Result<RecordingResult> judge_again(const evidence::Evidence& evidence) && {
    std::map<Digest, Deadlines> deadlines;
    std::optional<Reading> reading;
    Upstream read;
    for (const evidence::Exhibit& exhibit : evidence.exhibits) {
      if (exhibit.cases == 0) continue;
      const auto one = parse_case(exhibit.case_id);
      if (!one) return tl::unexpected(one.error());
      const Upstream upstream = upstream_of(exhibit, *one);
      if (!reading || read.body != upstream.body || read.end != upstream.end ||
          read.status != upstream.status || read.leave_at != upstream.leave_at) {
        read = upstream;
        reading = judge_.read(upstream, one->fault.has_value());
        deadlines.clear();
      }
      result_.recuts += one->recut.empty() ? 0 : exhibit.cases;
      result_.faults += one->fault ? exhibit.cases : 0;
      result_.called += called_upstream(exhibit.seen, testee_) ? exhibit.cases : 0;
      result_.cases += exhibit.cases;
      add_case(*one, upstream, *reading, exhibit.seen, deadlines).cases += exhibit.cases - 1;
    }
    return finished();
  }

 private:
  RecordingResult finished() {
    result_.outputs = bodies_.size();
    for (std::size_t position = 0; !outcomes_.empty() && position < outcomes_.front().judged.size();
         ++position)
      result_.rows.push_back(row_of(position, outcomes_, testee_));
    return std::move(result_);
  }

  // What a body came to as its events arrived is not a case; it is what cases are held against.
  void keep_as_arrived(const Case& one, const Upstream& upstream, const testee::Observation& seen) {
    kept_.exhibits.push_back(exhibit_of(to_string(one), upstream, {}, seen));
    kept_.exhibits.back().cases = 0;
  }

  // What makes two cases turn out alike: what came out and how, what was to come out, and whether something was held
  // back.
  struct Alike {
    Digest body;
    Digest said;
    Standing standing;
    Punctuality punctuality;
    std::vector<Verdict> transport;
    auto operator<=>(const Alike&) const = default;
  };

  // Tries one body in those of its cases that are selected. False once the campaign is to stop.
  bool take(Variation variation) {
    const Case& as_recorded = variation.as_recorded;
    const std::string kind = kind_of(variation);
    const bool is_recut = !as_recorded.recut.empty();
    const bool is_broken = as_recorded.fault.has_value();
    const bool is_whole_recording = !is_recut && !is_broken;
    if (!is_whole_recording && hangs_.leaves_out(kind)) {
      result_.unrun += variation.count();
      return true;
    }
    witness_.about(to_string(as_recorded));
    const Reading reading = judge_.read(variation.as_arrived, is_broken);
    if (witness_.heard().other > 0) hangs_.note_answer();
    if (is_recut && !says_the_same(reading.meaning, judge_.recorded())) {
      result_.changed_recuts.push_back(as_recorded.recut);
      return true;
    }
    // The recorded body was kept before.
    if (settings_.keep && is_recut && reading.as_arrived && witness_.last())
      keep_as_arrived(as_recorded, variation.as_arrived, *witness_.last());

    std::map<Digest, Deadlines> deadlines;
    split::SeamCounter seams(subject_);
    Upstream upstream = std::move(variation.as_arrived);
    const bool goes_on = variation.for_each_case([&](const Case& one, split::Cuts cuts) {
      stopped_ = stop_();
      if (stopped_) return false;
      if (is_whole_recording) seams.add(cuts);
      if (is_whole_recording && hangs_.leaves_out(kind)) {
        ++result_.unrun;
        return true;
      }
      upstream.cuts = std::move(cuts);
      upstream.withheld = one.withheld();
      testee::Exchange exchange = judge_.exchange(reading, upstream);
      exchange.name = to_string(one);
      const testee::Observation seen = testee_.observe(exchange);
      if (seen.ending == testee::Ending::unavailable) unavailable_ = seen.detail;
      // The signal that stops a campaign may have ended the testee too.
      stopped_ = seen.ending != testee::Ending::complete && stop_();
      if (stopped_ || !unavailable_.empty()) return false;
      ++result_.cases;
      result_.recuts += is_recut ? 1 : 0;
      result_.faults += is_broken ? 1 : 0;
      result_.called += called_upstream(seen, testee_) ? 1 : 0;
      result_.broken += standing_of(seen, testee_, upstream).broke.empty() ? 0 : 1;
      add_case(one, upstream, reading, seen, deadlines);
      const std::size_t hung = heard_.hung;
      const std::size_t other = heard_.other;
      heard_.note(testee_, exchange, seen);
      if (heard_.hung + heard_.other > hung + other) hangs_.note(kind, heard_.hung > hung);
      return true;
    });
    if (is_whole_recording) result_.coverage = seams.coverage();
    return goes_on;
  }

  Outcome& add_case(const Case& one, const Upstream& upstream, const Reading& reading,
                    const testee::Observation& seen, std::map<Digest, Deadlines>& deadlines) {
    const Digest bytes = digest_of(seen.body);
    const Digest body = judge_.likeness(seen.body, upstream);
    bodies_.insert(body);
    const Standing standing = standing_of(seen, testee_, upstream);
    Punctuality punctuality;
    if (reading.as_arrived) {
      auto known = deadlines.find(bytes);
      if (known == deadlines.end())
        known = deadlines.emplace(bytes, judge_.deadlines_of(reading, seen.body)).first;
      punctuality = judge_.punctuality(known->second, upstream, seen);
    }
    std::vector<Judged> transport = judge_.judge_transport(upstream, seen);
    std::vector<Verdict> verdicts;
    for (const Judged& judged : transport) verdicts.push_back(judged.verdict);
    const auto [known, is_new] = alike_.try_emplace(
        Alike{body, reading.digest, standing, punctuality, std::move(verdicts)}, outcomes_.size());
    if (is_new) {
      Outcome outcome;
      outcome.judged = judge_.judge(reading, seen, standing, punctuality);
      std::move(transport.begin(), transport.end(), std::back_inserter(outcome.judged));
      outcome.shows = std::any_of(outcome.judged.begin(), outcome.judged.end(),
                                  [](const Judged& judged) { return is_violation(judged.verdict); });
      if (outcome.shows) outcome.body = seen.body;
      if (settings_.keep) {
        outcome.exhibit = kept_.exhibits.size();
        kept_.exhibits.push_back(
            exhibit_of(to_string(one), upstream, judge_.exchange(reading, upstream), seen));
      }
      outcomes_.push_back(std::move(outcome));
    }
    Outcome& outcome = outcomes_[known->second];
    if (outcome.cases++ == 0 || upstream.cuts.size() < outcome.upstream.cuts.size()) {
      outcome.shortest = one;
      outcome.number = result_.cases;
      outcome.upstream = {outcome.shows ? upstream.body : "",
                          upstream.cuts,
                          upstream.end,
                          upstream.status,
                          upstream.leave_at,
                          upstream.withheld};
    }
    return outcome;
  }

  const Settings& settings_;
  const Trials trials_;
  const testee::Testee& testee_;
  const std::function<bool()>& stop_;
  const split::Subject subject_;
  Witness witness_;
  const Judge judge_;
  RecordingResult result_;
  Heard heard_;  // in the cases
  Hangs hangs_;
  bool stopped_ = false;
  std::string unavailable_;
  std::set<Digest> bodies_;
  std::map<Alike, std::size_t> alike_;  // positions in outcomes_
  std::vector<Outcome> outcomes_;
  evidence::Evidence kept_;
};

}  // namespace

bool says_the_same(const observe::Answer& a, const observe::Answer& b) {
  return std::tie(a.model, a.begins_with_text, a.parts, a.finish, a.done, a.error, a.usage) ==
         std::tie(b.model, b.begins_with_text, b.parts, b.finish, b.done, b.error, b.usage);
}

RecordingOutcome run_recording(const Settings& settings, Round round, const testee::Testee& testee,
                               const recording::Recording& recording, const std::function<bool()>& stop) {
  return RecordingRun(settings, round, testee, recording, stop).run();
}

Result<RecordingResult> judge_again(const Settings& settings, const testee::Testee& testee,
                                    const evidence::Evidence& evidence) {
  const Round round = testee.over_http() ? Round::over_http : Round::exact;
  return RecordingRun(settings, round, testee, *evidence.recording, [] { return false; })
      .judge_again(evidence);
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
