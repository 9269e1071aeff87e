#include "harness/cause/cause.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "harness/campaign/client_breaks.hpp"
#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/fold.hpp"
#include "harness/cause/grouping.hpp"
#include "harness/cause/impact.hpp"
#include "harness/cause/kind.hpp"
#include "harness/cause/same_fault.hpp"
#include "harness/cause/separate.hpp"
#include "harness/cause/stake.hpp"
#include "harness/cause/sure.hpp"

namespace splitproof::cause {
namespace {

using results::RecordingResult;
using results::Rule;
using results::Symptom;

class Target {
 public:
  Target(std::vector<const RecordingResult*> results, const results::Rules& rules,
         const contract::Clients& clients, bool strict)
      : results_(std::move(results)),
        rules_(rules),
        clients_(clients),
        strict_(strict),
        signs_(results_, rules, strict) {
    std::vector<BehaviourSample> items = samples_of(results_, signs_, strict);
    of_requests_ = samples_about(items, signs_, true);
    of_answers_ = samples_about(std::move(items), signs_, false);
    find_brought_about();
    for (const RecordingResult* result : results_) {
      for (const results::Row& row : result->rows) {
        ranks_.try_emplace(rule_of(row), ranks_.size());
        if (is_finding(row)) findings_.emplace(std::pair(result, rule_of(row)), &row);
      }
    }
  }

  std::vector<Cause> causes() const {
    std::vector<Group> groups;
    std::set<const results::Row*> doubtful;
    for (const std::vector<BehaviourSample>* items : {&of_answers_, &of_requests_}) {
      const Grouping grouping(*items, signs_);
      std::vector<Group> found = grouping.groups();
      std::move(found.begin(), found.end(), std::back_inserter(groups));
      for (const ViolatedRule& one : grouping.doubtful()) doubtful.insert(findings_.at(one));
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.items.size() > b.items.size(); });
    std::vector<Cause> causes;
    for (const Group& group : groups) {
      add(group, causes);
      for (const ViolatedRule& one : group.doubtful) doubtful.insert(findings_.at(one));
    }
    add_brought_about(causes);
    for (const RecordingResult* result : results_) add_unshown(*result, causes);
    const FindingRows findings = rows_of_findings();
    doubtful.merge(unsure_of(causes, findings));
    const SamplesOf samples = samples_by_recording();
    separate_faults(causes, doubtful, findings, rules_, samples);
    const std::set<const results::Row*> named = named_findings(causes);
    fold_causes(causes, doubtful, findings, rules_, samples, of_answers_);
    join_same_faults(causes, doubtful, findings, samples, results_.size(), of_answers_);
    return_to_kinds(causes, named, findings, rules_, samples);
    for (Cause& cause : causes) {
      cause.is_only_of_rule = std::count_if(causes.begin(), causes.end(),
                                            [&](const Cause& one) { return one.rule == cause.rule; }) == 1;
      show_example(cause, findings, samples, rules_);
      complete(cause, doubtful);
    }
    std::stable_sort(causes.begin(), causes.end(), [this](const Cause& a, const Cause& b) {
      const auto rank = [this](const Cause& cause) {
        const Stake stake = rank_of(cause.stake);
        return std::tuple(stake, cause.harm(), !cause.in_real_streams(), -static_cast<long>(cause.ordinary()),
                          -static_cast<long>(cause.recordings()), ranks_.at(cause.rule));
      };
      return rank(a) < rank(b);
    });
    return causes;
  }

  std::vector<Cause> candidates() const {
    std::vector<Cause> causes;
    for (const RecordingResult* result : results_) add_unshown(*result, causes);
    const FindingRows findings = rows_of_findings();
    const SamplesOf samples = samples_by_recording();
    std::set<const results::Row*> doubtful;
    separate_faults(causes, doubtful, findings, rules_, samples);
    for (Cause& cause : causes) show_example(cause, findings, samples, rules_);
    return causes;
  }

 private:
  // A second turn repeats the answer. If its rule `follows` a rule that the answer violates, both have one
  // cause.
  void find_brought_about() {
    std::map<const RecordingResult*, std::vector<std::size_t>> shown;  // signs, in the order of the answers
    for (const BehaviourSample& answered : of_answers_)
      for (const auto& entry : answered.shows) shown[answered.in].push_back(entry.first);
    for (BehaviourSample& asked : of_requests_) {
      if (!asked.turn) continue;
      const std::vector<std::size_t>& behind = shown[asked.in];
      const auto followed = [&](std::size_t sign) {
        return std::find_if(behind.begin(), behind.end(),
                            [&](std::size_t other) { return signs_.is_follower(sign, other); });
      };
      for (const std::size_t sign : asked.fresh)
        if (const auto other = followed(sign); other != behind.end())
          brought_about_.emplace(std::pair(asked.in, signs_[sign].rule),
                                 std::pair(asked.in, signs_[*other].rule));
      const auto follows = [&](std::size_t sign) { return followed(sign) != behind.end(); };
      std::erase_if(asked.fresh, follows);
      std::erase_if(asked.shows, [&](const auto& entry) { return follows(entry.first); });
    }
  }

  // Skips a violation that another case shows independently.
  void add_brought_about(std::vector<Cause>& causes) const {
    const auto owner = [&](const ViolatedRule& violated) {
      return std::find_if(causes.begin(), causes.end(),
                          [&](const Cause& cause) { return cause.own.contains(findings_.at(violated)); });
    };
    for (const auto& [asked, answered] : brought_about_) {
      const auto above = owner(answered);
      if (owner(asked) == causes.end() && above != causes.end()) above->own.insert(findings_.at(asked));
    }
  }

  static Cause* find(std::vector<Cause>& causes, const Rule* rule) {
    const auto found =
        std::find_if(causes.begin(), causes.end(), [&](const Cause& cause) { return cause.rule == rule; });
    return found == causes.end() ? nullptr : &*found;
  }

  // Returns the rules of the roots that have findings, the most descriptive first. If none has, returns the
  // others.
  std::vector<const Rule*> rules_of(const Group& group) const {
    std::map<const Rule*, std::size_t> counts;
    for (const auto& violation : group.violations) ++counts[violation.second];
    std::vector<const Rule*> rules;
    for (const std::size_t root : group.roots)
      if (counts.erase(signs_[root].rule) != 0) rules.push_back(signs_[root].rule);
    if (!rules.empty()) return rules;
    for (const auto& entry : counts) rules.push_back(entry.first);
    std::sort(rules.begin(), rules.end(), [&](const Rule* a, const Rule* b) {
      return std::pair(counts[b], ranks_.at(a)) < std::pair(counts[a], ranks_.at(b));
    });
    return rules;
  }

  // If every rule of the group already names a cause, adds the group to the first of these. A grave violation
  // gets a second cause instead, which separate_faults() merges if its kind is the same.
  void add(const Group& group, std::vector<Cause>& causes) const {
    const std::vector<const Rule*> rules = rules_of(group);
    const auto free = std::find_if(rules.begin(), rules.end(),
                                   [&](const Rule* rule) { return find(causes, rule) == nullptr; });
    const Rule* rule = free == rules.end() ? rules.front() : *free;
    const bool is_new = free != rules.end() || is_grave(signs_[group.roots.front()].stake);
    if (is_new) causes.emplace_back().rule = rule;
    Cause& cause = is_new ? causes.back() : *find(causes, rule);
    cause.target = results_.front()->target;
    for (const BehaviourSample* item : group.items) cause.occurrences.push_back(occurrence_of(*item));
    for (const auto& violation : group.violations) cause.own.insert(findings_.at(violation));
  }

  FindingRows rows_of_findings() const {
    FindingRows findings;
    for (const auto& [place, row] : findings_) findings.emplace(row, place.first);
    return findings;
  }

  SamplesOf samples_by_recording() const {
    SamplesOf samples;
    for (const std::vector<BehaviourSample>* all : {&of_answers_, &of_requests_})
      for (const BehaviourSample& sample : *all)
        if (!sample.shows.empty()) samples[sample.in].push_back(&sample);
    return samples;
  }

  const Rule* rule_of(const results::Row& row) const { return &rules_.at(row.rule); }

  bool is_finding(const results::Row& row) const {
    return row.verdict == contract::Verdict::violated && !row.expectation && results::decides(row, strict_);
  }

  // Adds a finding that no case shows as a cause of its own.
  void add_unshown(const RecordingResult& result, std::vector<Cause>& causes) const {
    for (const results::Row& row : result.rows) {
      const bool is_told = std::any_of(causes.begin(), causes.end(),
                                       [&](const Cause& cause) { return cause.own.count(&row) != 0; });
      if (!is_finding(row) || is_told) continue;
      if (find(causes, rule_of(row)) == nullptr) causes.emplace_back().rule = rule_of(row);
      Cause& cause = *find(causes, rule_of(row));
      cause.target = result.target;
      cause.occurrences.push_back({&result, row.first->case_id, row.violating, {}, false, false});
      cause.own.insert(&row);
      if (cause.in != nullptr && effort(*row.first) >= effort(cause.shown)) continue;
      cause.in = &result;
      cause.level = row.level;
      cause.shown = *row.first;
    }
  }

  // Computes the derived fields.
  void complete(Cause& cause, const std::set<const results::Row*>& doubtful) const {
    std::set<const RecordingResult*> in;
    for (const Occurrence& one : cause.occurrences) in.insert(one.in);
    for (const RecordingResult* result : in)
      for (const results::Row& row : result->rows)
        if (row.rule == cause.rule->id) cause.cases += row.violating;
    std::copy_if(cause.own.begin(), cause.own.end(), std::inserter(cause.doubtful, cause.doubtful.end()),
                 [&](const results::Row* row) { return doubtful.contains(row); });
    std::map<std::size_t, std::pair<const Rule*, long>> rules;  // by rank: sure minus doubtful findings
    for (const results::Row* row : cause.own) {
      auto& [rule, sure] = rules[ranks_.at(rule_of(*row))];
      rule = rule_of(*row);
      sure += cause.doubtful.contains(row) ? -1 : 1;
      if (follows(*cause.rule, *rule)) cause.stake = std::min(cause.stake, stake_of(row->rule, 0));
    }
    for (const auto& [rank, counted] : rules)
      if (counted.first != cause.rule)
        (counted.second > 0 ? cause.below : cause.perhaps).push_back(counted.first);
    const auto shown = std::find_if(
        cause.in->behaviours.begin(), cause.in->behaviours.end(),
        [&](const results::Behaviour& behaviour) { return behaviour.case_id == cause.shown.case_id; });
    const std::vector<Symptom> none;
    const std::vector<Symptom>& symptoms = shown == cause.in->behaviours.end() ? none : shown->symptoms;
    cause.impacts = impacts_of(cause, symptoms, campaign::rules_of_form(symptoms, rules_, strict_), clients_);
  }

  const std::vector<const RecordingResult*> results_;
  const results::Rules& rules_;
  const contract::Clients& clients_;
  const bool strict_;
  const ViolationKinds signs_;
  std::vector<BehaviourSample> of_answers_;
  std::vector<BehaviourSample> of_requests_;  // the request side of the same cases
  // from a violation by a request to the violation by the answer that caused it
  std::map<ViolatedRule, ViolatedRule> brought_about_;
  std::map<const Rule*, std::size_t> ranks_;  // by the order of the rows
  std::map<std::pair<const RecordingResult*, const Rule*>, const results::Row*> findings_;
};

std::size_t count_recordings(const std::vector<Occurrence>& occurrences, bool ordinary) {
  std::set<const RecordingResult*> in;
  for (const Occurrence& one : occurrences)
    if (!ordinary || (one.recut.empty() && !one.fault)) in.insert(one.in);
  return in.size();
}

}  // namespace

std::size_t Cause::recordings() const { return count_recordings(occurrences, false); }

std::size_t Cause::ordinary() const { return count_recordings(occurrences, true); }

std::string Cause::title() const {
  const std::string manner = is_only_of_rule ? std::string() : manner_of_kind(kind);
  const bool is_clause = kind == clause_of_kind(kind) || kind.empty();
  if (manner.empty() && (is_only_of_rule || is_clause)) return rule->headline();
  if (manner.empty()) return rule->headline() + ": " + kind;
  const std::string said = shown.message.substr(0, shown.message.find(" sent: "));
  const bool names_value = said.size() < shown.message.size() && said.find(';') == said.npos;
  return rule->headline() + ": " + (names_value ? said + " " : std::string()) + manner;
}

bool Cause::is_breakdown() const {
  return rule->id == results::kCrashed || rule->id == results::kHung || rule->id == results::kGarbage;
}

bool Cause::is_unstable() const {
  return tries ? tries->violated < tries->of : is_breakdown() && !shown.alone;
}

void Cause::set_tries(const Tries& counted) {
  tries = counted;
  if (counted.violated > 1) shown.alone = true;
}

bool Cause::in_real_streams() const {
  return std::any_of(occurrences.begin(), occurrences.end(), [](const Occurrence& one) {
    return one.recut.empty() && !one.fault && one.in->recording.follows_real_stream;
  });
}

namespace {

// Returns what `find` finds in the targets, in the order of the results.
template <class Find>
std::vector<Cause> in_each_target(const std::vector<RecordingResult>& results, const results::Rules& rules,
                                  const contract::Clients& clients, bool strict, const Find& find) {
  std::vector<std::pair<std::string, std::vector<const RecordingResult*>>> targets;
  for (const RecordingResult& result : results) {
    auto known = std::find_if(targets.begin(), targets.end(),
                              [&](const auto& entry) { return entry.first == result.target; });
    if (known == targets.end()) known = targets.insert(targets.end(), {result.target, {}});
    known->second.push_back(&result);
  }
  std::vector<Cause> all;
  for (auto& [name, of_target] : targets) {
    std::vector<Cause> causes = find(Target(std::move(of_target), rules, clients, strict));
    std::move(causes.begin(), causes.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::vector<Cause> causes_of(const std::vector<RecordingResult>& results, const results::Rules& rules,
                             const contract::Clients& clients, bool strict) {
  return in_each_target(results, rules, clients, strict,
                        [](const Target& target) { return target.causes(); });
}

std::vector<Cause> candidates_of(const std::vector<RecordingResult>& results, const results::Rules& rules,
                                 const contract::Clients& clients, bool strict) {
  return in_each_target(results, rules, clients, strict,
                        [](const Target& target) { return target.candidates(); });
}

}  // namespace splitproof::cause
