#include "harness/cause/separate.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/cause/kind.hpp"
#include "harness/cause/moved.hpp"
#include "harness/cause/stake.hpp"
#include "harness/contract/contracts.hpp"

namespace splitproof::cause {
namespace {

using results::RecordingResult;
using results::Row;
using results::Rule;
using results::Symptom;

using Rows = std::vector<const Row*>;

constexpr std::size_t kStragglers = 10;  // a part of a cause's findings that may have another fault

// Orders rules as their ids.
struct ById {
  bool operator()(const Rule* a, const Rule* b) const { return a->id < b->id; }
};
using RowsOfRules = std::map<const Rule*, Rows, ById>;

// Returns rows in the order of the results. Addresses of rows have another order in each process.
Rows in_order(const std::set<const Row*>& rows, const FindingRows& findings) {
  Rows all(rows.begin(), rows.end());
  std::stable_sort(all.begin(), all.end(),
                   [&](const Row* a, const Row* b) { return findings.at(a) < findings.at(b); });
  return all;
}

struct Example {
  const BehaviourSample* sample = nullptr;
  const Symptom* symptom = nullptr;
};

auto plainness(const BehaviourSample& sample) {
  const results::Upstream& upstream = sample.behaviour->upstream;
  const auto& shapes = sample.behaviour->shapes;  // an upstream that fails is the plainest for no other rule
  return std::tuple(results::effort(true, sample.fault, sample.recut.empty(), upstream), sample.turn,
                    shapes.contains("error") || shapes.contains("ambiguous"),
                    !sample.in->recording.follows_real_stream, sample.in->recording.about_request,
                    shapes.size(), upstream.body.size(), sample.shows.size());
}

// Returns the plainest sample of a recording that violates the rule.
Example example_in(const std::vector<const BehaviourSample*>& samples, const std::string& rule) {
  Example best;
  for (const BehaviourSample* sample : samples) {
    const Symptom* symptom = sample->symptom_of(rule);
    if (symptom != nullptr && (best.sample == nullptr || plainness(*sample) < plainness(*best.sample)))
      best = {sample, symptom};
  }
  return best;
}

// True if the rule compares the answer with its meaning. A doubtful error of form does not lose content.
bool is_of_meaning(const Rule& rule) { return rule.of_a_shape || rule.form.starts_with("equality"); }

// Returns the kind of a symptom, with the rest of its answer: content that is lost here may be another part there.
std::string kind_in_answer(const Example& one, const results::Rules& rules) {
  std::string kind = kind_of(*one.symptom, rules.at(one.symptom->rule).of_a_shape);
  if (!kind.ends_with("less") || rules.at(one.symptom->rule).of_requests) return kind;
  const bool is_sent =
      std::any_of(one.sample->shows.begin(), one.sample->shows.end(), [&](const auto& entry) {
        const Symptom& other = *entry.second;
        const Rule& rule = rules.at(other.rule);
        return other.rule != one.symptom->rule && rule.form.starts_with("equality") && !rule.of_requests &&
               stake_of(other.rule, other.violation.clause) == Stake::content &&
               is_moved(one.symptom->violation, other.violation);
      });
  return is_sent ? kind.substr(0, kind.size() - std::string_view("less").size()) + "moved" : kind;
}

class Separation {
 public:
  Separation(std::set<const Row*>& doubtful, const FindingRows& findings, const results::Rules& rules,
             const SamplesOf& samples)
      : doubtful_(doubtful), findings_(findings), rules_(rules), samples_(samples) {}

  void take_hidden(std::vector<Cause>& causes) {
    RowsOfRules taken;
    for (Cause& cause : causes) {
      for (const auto& [rule, rows] : hidden_in(cause)) {
        move(rows, cause, nullptr);
        for (const Row* row : rows) {
          if (Cause* above = cause_above(*row, *rule, causes))
            above->own.insert(row);
          else
            taken[rule].push_back(row);
        }
      }
    }
    for (const auto& [rule, rows] : taken) {
      const auto known = std::find_if(causes.begin(), causes.end(),
                                      [rule = rule](const Cause& cause) { return cause.rule == rule; });
      Cause& to = known == causes.end() ? new_cause(causes, rule) : *known;
      for (const Row* row : rows) add(*row, to);
    }
  }

  void split_kinds(std::vector<Cause>& causes) {
    const std::size_t count = causes.size();
    for (std::size_t i = 0; i < count; ++i) {
      std::map<std::string, Rows> kinds;
      for (const Row* row : in_order(causes[i].own, findings_))
        if (row->rule == causes[i].rule->id) kinds[kind_in(*row)].push_back(row);
      join_unclear(kinds);
      join_stragglers(kinds);
      if (kinds.empty()) continue;
      const auto main = std::max_element(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) {
        return a.second.size() < b.second.size();
      });
      causes[i].kind = main->first;
      for (const auto& [kind, rows] : kinds) {
        if (kind == main->first) continue;
        Cause apart;
        apart.rule = causes[i].rule;
        apart.target = causes[i].target;
        apart.kind = kind;
        std::set<const RecordingResult*> in;
        for (const Row* row : rows) in.insert(findings_.at(row));
        Rows moved;
        for (const Row* row : causes[i].own)
          if (in.contains(findings_.at(row))) moved.push_back(row);
        move(moved, causes[i], &apart);
        const auto is_there = [&](const Occurrence& one) { return in.contains(one.in); };
        std::copy_if(causes[i].occurrences.begin(), causes[i].occurrences.end(),
                     std::back_inserter(apart.occurrences), is_there);
        std::erase_if(causes[i].occurrences, is_there);
        causes.push_back(std::move(apart));
      }
    }
  }

  // Gives a cause whose findings its samples do not show the samples of its findings.
  void complete_occurrences(std::vector<Cause>& causes) const {
    for (Cause& cause : causes) {
      if (!cause.occurrences.empty()) continue;
      const Rows own = in_order(cause.own, findings_);
      for (const Row* row : own)
        if (row->rule == cause.rule->id) add(*row, cause);
      if (!cause.occurrences.empty()) continue;
      const Row& row = *own.front();
      cause.occurrences.push_back(
          {findings_.at(&row), row.first->case_id, row.violating, {}, false, row.first->fault});
    }
  }

  static void merge_equal(std::vector<Cause>& causes) {
    std::vector<Cause> merged;
    for (Cause& cause : causes) {
      const auto same = std::find_if(merged.begin(), merged.end(), [&](const Cause& one) {
        return one.rule == cause.rule && one.kind == cause.kind;
      });
      if (same == merged.end()) {
        merged.push_back(std::move(cause));
        continue;
      }
      same->own.insert(cause.own.begin(), cause.own.end());
      std::copy(cause.occurrences.begin(), cause.occurrences.end(), std::back_inserter(same->occurrences));
    }
    causes = std::move(merged);
  }

 private:
  // True if a violation of `other` implies a violation of `rule`, by the contracts.
  bool is_consequence(const Rule& rule, const Rule& other) const {
    std::set<std::string> reached{rule.id};
    std::vector<const Rule*> next{&rule};
    while (!next.empty()) {
      const Rule* one = next.back();
      next.pop_back();
      for (const std::string& id : one->follows) {
        if (id == other.id) return true;
        const auto known = rules_.find(id);
        if (known != rules_.end() && reached.insert(id).second) next.push_back(&known->second);
      }
    }
    return false;
  }

  // Returns the cause in the same recording whose rule this finding follows by the contracts, or null.
  Cause* cause_above(const Row& row, const Rule& rule, std::vector<Cause>& causes) const {
    const auto found = std::find_if(causes.begin(), causes.end(), [&](const Cause& cause) {
      return is_consequence(rule, *cause.rule) &&
             std::any_of(cause.own.begin(), cause.own.end(), [&](const Row* own) {
               return own->rule == cause.rule->id && findings_.at(own) == findings_.at(&row);
             });
    });
    return found == causes.end() ? nullptr : &*found;
  }

  const std::vector<const BehaviourSample*>& samples_of(const Row& row) const {
    return samples_in(samples_, findings_.at(&row));
  }

  Stake stake_in(const Row& row) const {
    const Example shown = example_in(samples_of(row), row.rule);
    return cause::stake_of(row.rule, shown.symptom == nullptr ? 0 : shown.symptom->violation.clause);
  }

  std::string kind_in(const Row& row) const {
    const Example shown = example_in(samples_of(row), row.rule);
    return shown.symptom == nullptr ? std::string() : kind_in_answer(shown, rules_);
  }

  Stake gravest(const Rows& rows) const {
    Stake stake = Stake::form;
    for (const Row* row : rows) stake = std::min(stake, stake_in(*row));
    return stake;
  }

  // Returns the findings that a cause must not hide, by their rule.
  RowsOfRules hidden_in(const Cause& cause) const {
    RowsOfRules rows;
    Rows own;
    for (const Row* row : in_order(cause.own, findings_))
      (row->rule == cause.rule->id ? own : rows[&rules_.at(row->rule)]).push_back(row);
    const Stake stake = gravest(own);
    std::erase_if(rows, [&](const auto& entry) {
      // A comparison does not show what was lost. An error of the HTTP message explains no difference of content.
      if (entry.first->id.starts_with("META-")) return cause.rule->contract != contract::kTransport;
      const auto unsure = static_cast<std::size_t>(std::count_if(
          entry.second.begin(), entry.second.end(), [&](const Row* row) { return doubtful_.contains(row); }));
      const Stake other = gravest(entry.second);
      const bool is_below = unsure * 2 < entry.second.size();
      return is_below ? other >= stake || is_consequence(*entry.first, *cause.rule)
                      : !is_grave(other) || !is_of_meaning(*entry.first);
    });
    return rows;
  }

  void move(const Rows& rows, Cause& from, Cause* to) {
    for (const Row* row : rows) {
      from.own.erase(row);
      if (to == nullptr)
        doubtful_.erase(row);
      else
        to->own.insert(row);
    }
  }

  // Gives findings whose kind is only the number of a clause to the largest kind of that clause.
  static void join_unclear(std::map<std::string, Rows>& kinds) {
    const auto is_unclear = [](const std::string& kind) { return kind == clause_of_kind(kind); };
    std::vector<std::string> unclear;
    for (const auto& [kind, rows] : kinds)
      if (is_unclear(kind)) unclear.push_back(kind);
    for (const std::string& clause : unclear) {
      Rows* best = nullptr;
      for (auto& [kind, rows] : kinds) {
        constexpr std::string_view kCompared[] = {"less", "part", "moved", "more", "other"};
        const bool compares = std::any_of(
            std::begin(kCompared), std::end(kCompared),
            [&, kind = std::string_view(kind)](std::string_view way) { return kind.ends_with(way); });
        const bool fits = compares && clause_of_kind(kind) == clause;
        if (fits && (best == nullptr || best->size() < rows.size())) best = &rows;
      }
      if (best == nullptr) continue;
      const Rows rows = std::move(kinds.at(clause));
      best->insert(best->end(), rows.begin(), rows.end());
      kinds.erase(clause);
    }
  }

  // Content may be in another part in pieces, so a tenth that seems to be lost, or not to be, is no other way.
  static void join_stragglers(std::map<std::string, Rows>& kinds) {
    std::vector<std::string> moved;
    for (const auto& [kind, rows] : kinds)
      if (kind.ends_with("moved")) moved.push_back(kind);
    for (const std::string& kind : moved) {
      const std::string less = kind.substr(0, kind.rfind("moved")) + "less";
      const auto lost = kinds.find(less);
      if (lost == kinds.end()) continue;
      const bool is_mostly_moved = lost->second.size() < kinds.at(kind).size();
      Rows& few = is_mostly_moved ? lost->second : kinds.at(kind);
      Rows& many = is_mostly_moved ? kinds.at(kind) : lost->second;
      if (few.size() * kStragglers > few.size() + many.size()) continue;
      many.insert(many.end(), few.begin(), few.end());
      kinds.erase(is_mostly_moved ? less : kind);
    }
  }

  static Cause& new_cause(std::vector<Cause>& causes, const Rule* rule) {
    const std::string target = causes.front().target;
    Cause& cause = causes.emplace_back();
    cause.rule = rule;
    cause.target = target;
    return cause;
  }

  void add(const Row& row, Cause& to) const {
    to.own.insert(&row);
    for (const BehaviourSample* sample : samples_of(row))
      if (sample->symptom_of(row.rule) != nullptr) to.occurrences.push_back(occurrence_of(*sample));
  }

  std::set<const Row*>& doubtful_;
  const FindingRows& findings_;
  const results::Rules& rules_;
  const SamplesOf& samples_;
};

}  // namespace

Occurrence occurrence_of(const BehaviourSample& sample) {
  return {sample.in,   sample.behaviour->case_id, sample.behaviour->cases, sample.recut, sample.cut,
          sample.fault};
}

void separate_faults(std::vector<Cause>& causes, std::set<const Row*>& doubtful, const FindingRows& findings,
                     const results::Rules& rules, const SamplesOf& samples) {
  Separation separation(doubtful, findings, rules, samples);
  separation.take_hidden(causes);
  separation.split_kinds(causes);
  Separation::merge_equal(causes);
  separation.complete_occurrences(causes);
}

std::set<const Row*> named_findings(const std::vector<Cause>& causes) {
  std::set<const Row*> named;
  for (const Cause& cause : causes)
    for (const Row* row : cause.own)
      if (row->rule == cause.rule->id) named.insert(row);
  return named;
}

void return_to_kinds(std::vector<Cause>& causes, const std::set<const Row*>& named,
                     const FindingRows& findings, const results::Rules& rules, const SamplesOf& samples) {
  for (Cause& cause : causes) {
    for (const Row* row : in_order(cause.own, findings)) {
      if (row->rule != cause.rule->id || named.contains(row)) continue;
      const Example shown = example_in(samples_in(samples, findings.at(row)), row->rule);
      if (shown.sample == nullptr) continue;
      const std::string kind = kind_in_answer(shown, rules);
      const auto other = std::find_if(causes.begin(), causes.end(), [&](const Cause& one) {
        return one.rule == cause.rule && one.kind == kind && one.target == cause.target;
      });
      if (other == causes.end() || &*other == &cause) continue;
      cause.own.erase(row);
      other->own.insert(row);
      other->occurrences.push_back(occurrence_of(*shown.sample));
    }
  }
}

namespace {

// Clause and field of a violation.
using ViolatedField = std::pair<std::size_t, std::string>;

ViolatedField violated_field(const Example& one) {
  return {one.symptom->violation.clause, one.symptom->violation.field};
}

// Returns the examples that have the most frequent difference.
std::vector<Example> most_alike(std::vector<Example> examples) {
  std::map<ViolatedField, std::size_t> counts;
  for (const Example& one : examples) ++counts[violated_field(one)];
  std::size_t most = 0;
  for (const auto& [field, count] : counts) most = std::max(most, count);
  std::erase_if(examples, [&](const Example& one) { return counts.at(violated_field(one)) < most; });
  return examples;
}

}  // namespace

void show_example(Cause& cause, const FindingRows& findings, const SamplesOf& samples,
                  const results::Rules& rules) {
  const Rows own = in_order(cause.own, findings);
  std::vector<Example> examples;
  for (const Row* row : own) {
    if (row->rule != cause.rule->id) continue;
    const Example one = example_in(samples_in(samples, findings.at(row)), row->rule);
    const bool is_its_kind =
        one.sample != nullptr && (cause.kind.empty() || kind_in_answer(one, rules) == cause.kind);
    if (is_its_kind) examples.push_back(one);
  }
  Example best;
  for (const Example& one : most_alike(std::move(examples)))
    if (best.sample == nullptr || plainness(*one.sample) < plainness(*best.sample)) best = one;
  if (best.sample == nullptr) {
    cause.stake = stake_of(cause.rule->id, 0);
    if (cause.in != nullptr) return;
    const Row& row = *own.front();
    cause.in = findings.at(&row);
    cause.level = row.level;
    cause.shown = *row.first;
    return;
  }
  cause.in = best.sample->in;
  cause.level = best.symptom->level;
  cause.shown = results::reproducer_of(*best.sample->behaviour, *best.symptom);
  cause.stake = stake_of(cause.rule->id, best.symptom->violation.clause);
}

}  // namespace splitproof::cause
