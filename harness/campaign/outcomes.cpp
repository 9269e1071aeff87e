#include "harness/campaign/outcomes.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "harness/campaign/exhibits.hpp"
#include "harness/campaign/judgeability.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/results/join.hpp"
#include "harness/testee/client_request.hpp"

namespace splitproof::campaign {

using results::Behaviour;
using results::Reproducer;
using results::Row;
namespace {

using contract::Judged;
using contract::Verdict;

constexpr std::size_t kShownBytes = 160;

std::string shortened(std::string_view text) {
  return std::string(text.substr(0, kShownBytes)) + (text.size() > kShownBytes ? "..." : "");
}

// Returns the bytes of a downstream body that a verdict refers to.
std::string excerpt(std::string_view body, const Judged& judged) {
  if (is_of_requests(*judged.obligation)) return shortened(judged.shown);
  const std::size_t begin = std::min(judged.begin, body.size());
  return shortened(body.substr(begin, judged.end - begin));
}

results::Place place_of(const Judged& judged) { return {judged.event, judged.begin, judged.end}; }

bool is_violation(Verdict verdict) { return verdict == Verdict::violated || verdict == Verdict::passed_on; }

}  // namespace

Timeliness timeliness_of(const Judge& judge, UpstreamBody& body, const Upstream& upstream,
                         const testee::Observation& seen) {
  if (!body.baseline.arrived) return {};
  const Digest bytes = digest_of(seen.body);
  auto known = body.deadlines.find(bytes);
  if (known == body.deadlines.end())
    known = body.deadlines.emplace(bytes, judge.deadlines_of(body.reading, seen.body)).first;
  return judge.timeliness(known->second, upstream, seen);
}

void Outcomes::add(const Case& one, const Upstream& upstream, UpstreamBody& body,
                   const testee::Observation& seen, std::size_t cases) {
  cases_ += cases;
  const Digest key = judge_.dedup_key(seen.body, upstream);
  if (bodies_.insert(key).second) new_bodies_.push_back(key);
  const Judgeability judgeability = judgeability_of(seen, judge_.testee(), upstream);
  const Timeliness timeliness = timeliness_of(judge_, body, upstream, seen);
  // They depend on more than the body, and decide which outcomes are equal.
  std::vector<Judged> transport = judge_.judge_transport(upstream, seen);
  for (Judged& judged : judge_.judge_report(body.reading, body.baseline, upstream, seen))
    transport.push_back(std::move(judged));
  const std::vector<Judged>& asked = asked_in(seen);
  std::vector<Verdict> verdicts;
  verdicts.reserve(transport.size() + asked.size());
  for (const Judged& judged : transport) verdicts.push_back(judged.verdict);
  for (const Judged& judged : asked) verdicts.push_back(judged.verdict);
  const auto [known, is_new] = known_.try_emplace(
      DedupKey{key, body.reading.digest, body.baseline.digest, judgeability, timeliness, std::move(verdicts)},
      outcomes_.size());
  if (is_new) outcomes_.emplace_back();
  Outcome& outcome = outcomes_[known->second];
  outcome.cases += cases;
  const Effort effort = results::effort(true, one.alteration() != Alteration::none,
                                        one.recut.empty() && one.frames == observe::FrameStyle(), upstream);
  if (!is_new && effort >= outcome.effort) return;
  // Messages may contain values that an external testee chose for this answer.
  if (is_new || judge_.testee().outside) {
    outcome.judged.clear();
    for (Judged& judged : judge_.judge(body.reading, body.baseline, seen, judgeability, timeliness))
      outcome.judged.push_back(keep(std::move(judged)));
    for (Judged& judged : transport) outcome.judged.push_back(keep(std::move(judged)));
    for (const Judged& judged : asked) outcome.judged.push_back(&judged);
    outcome.shows = std::any_of(outcome.judged.begin(), outcome.judged.end(),
                                [](const Judged* judged) { return is_violation(judged->verdict); });
    if (outcome.shows) outcome.body = seen.body;
    const auto wrong = std::find_if(asked.begin(), asked.end(),
                                    [](const Judged& judged) { return judged.verdict == Verdict::violated; });
    outcome.client_request = wrong == asked.end()
                                 ? std::string()
                                 : testee::without_tokens(seen.request).substr(0, results::kKeptBody);
    outcome.upstream_request = wrong == asked.end() ? std::string() : wrong->shown;
  }
  outcome.shortest = one;
  outcome.effort = effort;
  outcome.number = cases_;
  outcome.upstream = upstream;
  outcome.shapes = body.reading.expected.shapes;
  if (!outcome.shows) outcome.upstream.body.clear();
  if (keeps_evidence_)
    outcome.exhibit = exhibit_of(to_string(one), upstream, judge_.exchange(body.reading, upstream), seen);
}

// Shares verdicts without a violation among thousands of outcomes.
const Judged* Outcomes::keep(Judged judged) {
  if (is_violation(judged.verdict)) return &kept_.emplace_back(std::move(judged));
  const Judged*& known = sound_[{judged.obligation, judged.verdict, judged.reason}];
  if (known == nullptr) known = &kept_.emplace_back(std::move(judged));
  return known;
}

// Caches by request, because most exchanges of a recording send the same.
const std::vector<Judged>& Outcomes::asked_in(const testee::Observation& seen) {
  const Digest key = AskedJudge::key(seen);
  auto known = asked_.find(key);
  if (known == asked_.end()) known = asked_.emplace(key, judge_.asked().judge(seen)).first;
  return known->second;
}

std::vector<Row> Outcomes::rows() const {
  std::vector<Row> rows;
  for (std::size_t position = 0; !outcomes_.empty() && position < outcomes_.front().judged.size(); ++position)
    rows.push_back(row_of(position));
  return rows;
}

std::vector<Behaviour> Outcomes::behaviours() const {
  // The met obligations, and the violated ones with clause and field; together they identify a behaviour.
  // Passed-on violations are ignored, because broken upstreams vary in thousands of ways.
  using Violations = std::vector<std::tuple<std::size_t, std::size_t, std::string>>;
  using Sign = std::pair<std::vector<bool>, Violations>;
  struct Kind {
    const Outcome* shown;
    std::size_t cases;
  };
  std::map<Sign, std::size_t> known;
  std::vector<Kind> kinds;
  for (const Outcome& outcome : outcomes_) {
    std::vector<bool> meets;
    Violations violates;
    for (const Judged* judged : outcome.judged) {
      if (judged->verdict == Verdict::violated)
        violates.emplace_back(meets.size(), judged->violation.clause, judged->violation.field);
      meets.push_back(judged->verdict == Verdict::met);
    }
    const auto [place, is_new] = known.try_emplace({std::move(meets), std::move(violates)}, kinds.size());
    if (is_new) kinds.push_back({&outcome, 0});
    Kind& kind = kinds[place->second];
    kind.cases += outcome.cases;
    if (outcome.rank() < kind.shown->rank()) kind.shown = &outcome;
  }
  std::vector<Behaviour> behaviours;
  for (const Kind& kind : kinds) {
    const Outcome& shown = *kind.shown;
    Behaviour behaviour{to_string(lasting(shown.shortest, shown.upstream.cuts)),
                        shown.shortest.is_recorded(),
                        shown.shortest.alteration() != Alteration::none,
                        shown.upstream,
                        kind.cases,
                        {},
                        {},
                        shown.body.substr(0, results::kKeptBody),
                        shown.shapes,
                        shown.client_request,
                        shown.upstream_request};
    for (const Judged* judged : shown.judged) {
      if (judged->verdict == Verdict::met) behaviour.meets.push_back(judged->obligation->id);
      if (judged->verdict != Verdict::violated) continue;
      behaviour.symptoms.push_back({judged->obligation->id, level_for(*judged->obligation, judge_.testee()),
                                    judged->violation, place_of(*judged), excerpt(shown.body, *judged),
                                    judged->message, is_of_requests(*judged->obligation)});
    }
    behaviours.push_back(std::move(behaviour));
  }
  return behaviours;
}

std::vector<evidence::StoredExchange> Outcomes::exhibits() const {
  std::vector<const Outcome*> sorted;
  for (const Outcome& outcome : outcomes_) sorted.push_back(&outcome);
  std::sort(sorted.begin(), sorted.end(),
            [](const Outcome* a, const Outcome* b) { return a->number < b->number; });
  std::vector<evidence::StoredExchange> exhibits;
  for (const Outcome* outcome : sorted) {
    exhibits.push_back(outcome->exhibit);
    exhibits.back().cases = outcome->cases;
  }
  return exhibits;
}

Row Outcomes::row_of(std::size_t position) const {
  Row row;
  const Outcome* shown = nullptr;
  for (const Outcome& outcome : outcomes_) {
    const Judged& judged = *outcome.judged[position];
    row.cases += outcome.cases;
    row.verdict = results::stronger(row.verdict, judged.verdict);
    if (judged.verdict == Verdict::violated) row.violating += outcome.cases;
  }
  for (const Outcome& outcome : outcomes_) {
    const Verdict verdict = outcome.judged[position]->verdict;
    if (verdict != row.verdict || !is_violation(verdict)) continue;
    if (shown == nullptr || outcome.rank() < shown->rank()) shown = &outcome;
  }
  const contract::Obligation& rule = *outcomes_.front().judged[position]->obligation;
  row.rule = rule.id;
  row.level = level_for(rule, judge_.testee());
  const auto decisive = std::find_if(outcomes_.begin(), outcomes_.end(), [&](const Outcome& outcome) {
    return outcome.judged[position]->verdict == row.verdict;
  });
  row.reason = decisive->judged[position]->reason;
  if (shown == nullptr) return row;
  const Judged& judged = *shown->judged[position];
  row.first = Reproducer{to_string(lasting(shown->shortest, shown->upstream.cuts)),
                         shown->shortest.is_recorded(),
                         true,
                         shown->shortest.alteration() != Alteration::none,
                         shown->upstream,
                         place_of(judged),
                         excerpt(shown->body, judged),
                         judged.message,
                         {},
                         is_of_requests(rule)};
  return row;
}

}  // namespace splitproof::campaign
