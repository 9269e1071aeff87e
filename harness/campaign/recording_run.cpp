#include "harness/campaign/recording_run.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/campaign/case_id.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/judgement.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/split/generator.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr std::size_t kShownBytes = 160;
constexpr std::size_t kCutsInLabel = 8;

// One of the different ways in which a recording's cases turned out.
struct Outcome {
  std::size_t cases = 0;
  CaseId shortest;             // the first of those of its cases with fewest cuts
  std::size_t number = 0;      // of that case
  Upstream upstream;           // of that case; its body is kept where there is evidence to show
  std::vector<Judged> judged;  // contracts, then META
  bool violated = false;       // some obligation
  std::string body;            // downstream; kept where there is evidence to show

  // What a person would rather look at comes first.
  auto rank() const {
    return std::tuple(!shortest.fault.empty(), !shortest.recut.empty(), upstream.cuts.size(), number);
  }
};

std::string shortened(std::string_view text) {
  return std::string(text.substr(0, kShownBytes)) + (text.size() > kShownBytes ? "..." : "");
}

// A few cuts of a recorded body are named by their offsets: what `gen=seam:I` means changes with the list of seam kinds.
CaseId lasting_id(const CaseId& id, const split::Cuts& cuts) {
  CaseId lasting = id;
  const bool few = !cuts.empty() && cuts.size() <= kCutsInLabel;
  if (few && id.recut.empty() && id.fault.empty()) lasting.split = split::label(split::AtCuts{cuts});
  return lasting;
}

Verdict joined(Verdict a, Verdict b) {
  for (const Verdict strongest : {Verdict::violated, Verdict::met, Verdict::not_judged}) {
    if (a == strongest || b == strongest) return strongest;
  }
  return Verdict::not_exercised;
}

Row row_of(std::size_t position, const std::vector<Outcome>& outcomes) {
  Row row;
  const Outcome* shown = nullptr;
  for (const Outcome& outcome : outcomes) {
    const Judged& judged = outcome.judged[position];
    row.obligation = judged.obligation;
    row.cases += outcome.cases;
    row.verdict = joined(row.verdict, judged.verdict);
    if (judged.verdict != Verdict::violated) continue;
    row.violating += outcome.cases;
    if (shown == nullptr || outcome.rank() < shown->rank()) shown = &outcome;
  }
  row.level = row.obligation->level;
  const auto decisive = std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
    return outcome.judged[position].verdict == row.verdict;
  });
  row.reason = decisive->judged[position].reason;
  if (shown == nullptr) return row;
  const Judged& judged = shown->judged[position];
  const std::size_t begin = std::min(judged.begin, shown->body.size());
  row.first = Reproducer{to_string(lasting_id(shown->shortest, shown->upstream.cuts)),
                         shown->shortest.recut.empty() && shown->shortest.fault.empty(),
                         shown->upstream,
                         judged.event,
                         judged.begin,
                         judged.end,
                         shortened(std::string_view(shown->body).substr(begin, judged.end - begin)),
                         judged.message};
  return row;
}

// Whether two readings of upstreams say the same. What a translator can trip over on the way may differ.
bool says_the_same(const observe::Meaning& a, const observe::Meaning& b) {
  return std::tie(a.model, a.begins_with_text, a.parts, a.finish, a.done, a.error, a.usage) ==
         std::tie(b.model, b.begins_with_text, b.parts, b.finish, b.done, b.error, b.usage);
}

class RecordingRun {
 public:
  RecordingRun(const Settings& settings, const testee::Testee& testee, const recording::Recording& recording,
               const std::function<bool()>& stop)
      : settings_(settings),
        testee_(testee),
        stop_(stop),
        subject_(subject_of(recording)),
        judge_(*settings.contracts, settings.profile, testee, recording) {
    result_.target = testee.name();
    result_.recording = &recording;
  }

  std::optional<RecordingResult> run() && {
    for_each_variation(*result_.recording, settings_.trials,
                       [this](const Variation& variation) { return take(variation); });
    if (stopped_) return std::nullopt;
    if (outcomes_.empty()) return std::move(result_);
    result_.outputs = bodies_.size();
    for (std::size_t position = 0; position < outcomes_.front().judged.size(); ++position)
      result_.rows.push_back(row_of(position, outcomes_));
    return std::move(result_);
  }

 private:
  // What makes two cases turn out alike: what came out, what was to come out, and whether something was held back.
  struct Alike {
    Digest body;
    Digest said;
    Late late;
    auto operator<=>(const Alike&) const = default;
  };

  // A downstream body and how much of it was due when.
  struct Decoded {
    observe::Trace trace;
    Deadlines deadlines;
  };

  // A case goes by its plan's name and by the one that reports print.
  bool selected(const CaseId& id, const split::Cuts& cuts) const {
    return fits(settings_.only, id) || fits(settings_.only, lasting_id(id, cuts));
  }

  // Tries one body with those of its splits that are selected. False once the campaign is to stop.
  bool take(const Variation& variation) {
    CaseId id{result_.recording->id, testee_.client(), {}, variation.recut, variation.fault};
    std::vector<split::Split> splits;
    for (const split::Split& split : variation.splits) {
      id.split = split.label;
      if (selected(id, split.cuts)) splits.push_back(split);
    }
    if (splits.empty()) return true;
    const Reading reading = judge_.read(variation.as_arrived, !variation.fault.empty());
    const bool is_recut = !variation.recut.empty();
    if (is_recut && !says_the_same(reading.meaning, judge_.recorded())) {
      result_.changed_recuts.push_back(variation.recut);
      return true;
    }
    if (!is_recut && variation.fault.empty()) result_.coverage = split::seam_coverage(subject_, splits);

    std::map<Digest, Decoded> decoded;
    Upstream upstream = variation.as_arrived;
    for (const split::Split& split : splits) {
      stopped_ = stop_();
      if (stopped_) return false;
      id.split = split.label;
      upstream.cuts = split.cuts;
      ++result_.cases;
      result_.recuts += is_recut ? 1 : 0;
      result_.faults += variation.fault.empty() ? 0 : 1;
      try_case(id, upstream, reading, decoded);
    }
    return true;
  }

  void try_case(const CaseId& id, const Upstream& upstream, const Reading& reading,
                std::map<Digest, Decoded>& decoded) {
    testee::Observation seen = testee_.observe(exchange_of(upstream));
    const Digest body = digest_of(seen.body);
    bodies_.insert(body);
    const bool timed = !seen.after_chunk.empty();
    std::optional<Late> late;
    if (reading.as_arrived && timed) {
      auto known = decoded.find(body);
      if (known == decoded.end()) {
        observe::Trace trace = judge_.trace_of(seen.body);
        Deadlines deadlines(reading.milestones, trace, seen.body.size());
        known = decoded.try_emplace(body, Decoded{std::move(trace), std::move(deadlines)}).first;
      }
      late = known->second.deadlines.first_late(upstream.cuts, upstream.body.size(), seen.after_chunk);
    }
    const auto [known, is_new] =
        alike_.try_emplace(Alike{body, reading.digest, late.value_or(Late{})}, outcomes_.size());
    if (is_new) {
      Outcome outcome;
      outcome.judged = judge_.judge(reading, seen.body, judge_.trace_of(seen.body), timed, late);
      const bool violated = std::any_of(outcome.judged.begin(), outcome.judged.end(),
                                        [](const Judged& one) { return one.verdict == Verdict::violated; });
      outcome.violated = violated;
      if (violated) outcome.body = std::move(seen.body);
      outcomes_.push_back(std::move(outcome));
    }
    Outcome& outcome = outcomes_[known->second];
    if (outcome.cases++ == 0 || upstream.cuts.size() < outcome.upstream.cuts.size()) {
      outcome.shortest = id;
      outcome.number = result_.cases;
      outcome.upstream = {outcome.violated ? upstream.body : std::string(), upstream.cuts, upstream.end};
    }
  }

  const Settings& settings_;
  const testee::Testee& testee_;
  const std::function<bool()>& stop_;
  const split::Subject subject_;
  const Judge judge_;
  RecordingResult result_;
  bool stopped_ = false;
  std::set<Digest> bodies_;
  std::map<Alike, std::size_t> alike_;  // positions in outcomes_
  std::vector<Outcome> outcomes_;
};

}  // namespace

std::optional<RecordingResult> run_recording(const Settings& settings, const testee::Testee& testee,
                                             const recording::Recording& recording,
                                             const std::function<bool()>& stop) {
  return RecordingRun(settings, testee, recording, stop).run();
}

}  // namespace splitproof::campaign
