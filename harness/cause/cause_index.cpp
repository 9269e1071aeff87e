#include "harness/cause/cause_index.hpp"

#include <algorithm>

namespace splitproof::cause {

using results::RecordingResult;
using results::Row;
using results::Rule;
using results::Symptom;

Stake stake_of(const Symptom& symptom) { return stake_of(symptom.rule, symptom.violation.clause); }

bool is_one_difference(const Symptom& a, const Symptom& b) {
  return !a.violation.wanted.empty() && a.violation.found == b.violation.found &&
         a.violation.wanted == b.violation.wanted;
}

bool is_boolean(const contract::Violation& violation) {
  return violation.wanted == "true" || violation.wanted == "false";
}

bool is_general_outcome(const Rule& rule) {
  return !rule.of_a_shape && !rule.of_requests && compares_values(rule) && !rule.id.starts_with("META-");
}

CauseIndex::CauseIndex(std::vector<Cause>& causes, std::set<const Row*>& doubtful,
                       const FindingRows& findings, const results::Rules& rules, const SamplesOf& samples)
    : causes_(causes), doubtful_(doubtful), findings_(findings), rules_(rules), samples_(samples) {
  for (const auto& [row, result] : findings_) rows_.emplace(std::pair(result, row->rule), row);
  for (std::size_t i = 0; i < causes_.size(); ++i)
    for (const Row* row : causes_[i].own) owners_[row] = i;
}

const Rule* CauseIndex::known_rule(const std::string& id) const {
  const auto known = rules_.find(id);
  return known == rules_.end() ? nullptr : &known->second;
}

const std::vector<const BehaviourSample*>& CauseIndex::samples_in(const RecordingResult* in) const {
  return cause::samples_in(samples_, in);
}

std::vector<const Row*> CauseIndex::named_rows(std::size_t cause) const {
  std::vector<const Row*> rows;
  for (const Row* row : causes_[cause].own)
    if (row->rule == causes_[cause].rule->id) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [this](const Row* a, const Row* b) {
    return findings_.at(a)->recording.id < findings_.at(b)->recording.id;
  });
  return rows;
}

std::set<const RecordingResult*> CauseIndex::recordings_of(std::size_t cause) const {
  std::set<const RecordingResult*> in;
  for (const Row* row : named_rows(cause)) in.insert(findings_.at(row));
  return in;
}

std::optional<std::size_t> CauseIndex::owner_in(const RecordingResult* in, const std::string& rule) const {
  const auto row = rows_.find({in, rule});
  if (row == rows_.end()) return std::nullopt;
  const auto owner = owners_.find(row->second);
  return owner == owners_.end() ? std::nullopt : std::optional(owner->second);
}

std::optional<std::size_t> CauseIndex::cause_named(const std::string& rule) const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < causes_.size(); ++i)
    if (causes_[i].rule->id == rule && !causes_[i].own.empty() &&
        (!best || causes_[*best].own.size() < causes_[i].own.size()))
      best = i;
  return best;
}

bool CauseIndex::may_explain(std::size_t cause, const Symptom& symptom) const {
  Stake gravest = Stake::form;
  for (const Row* row : named_rows(cause))
    for (const BehaviourSample* sample : samples_of(*row))
      for (const auto& [sign, shown] : sample->shows)
        if (shown->rule == row->rule) gravest = std::min(gravest, stake_of(*shown));
  return rank_of(gravest) <= rank_of(stake_of(symptom));
}

std::set<std::string> CauseIndex::recuts_that_show(const Row& row) const {
  std::set<std::string> recuts;
  for (const BehaviourSample* sample : samples_of(row)) {
    const bool has_it = sample->symptom_of(row.rule) != nullptr;
    if (!has_it) continue;
    if (sample->recut.empty()) return {};
    recuts.insert(sample->recut);
  }
  return recuts;
}

void CauseIndex::move(const Row& row, std::size_t from, std::size_t to) {
  const RecordingResult* in = findings_.at(&row);
  const std::set<const Row*> own = causes_[from].own;
  for (const Row* one : own)
    if (findings_.at(one) == in && (one == &row || !one->rule.starts_with("META-"))) give(*one, from, to);
  std::erase_if(causes_[from].occurrences, [&](const Occurrence& one) { return one.in == in; });
}

void CauseIndex::give(const Row& row, std::size_t from, std::size_t to) {
  if (row.rule == causes_[from].rule->id) doubtful_.erase(&row);
  causes_[from].own.erase(&row);
  causes_[to].own.insert(&row);
  owners_[&row] = to;
  const auto& shown = causes_[to].occurrences;
  for (const BehaviourSample* sample : samples_of(row)) {
    const bool is_known = std::any_of(shown.begin(), shown.end(), [&](const Occurrence& one) {
      return one.case_id == sample->behaviour->case_id;
    });
    const bool has_it = sample->symptom_of(row.rule) != nullptr;
    if (has_it && !is_known) causes_[to].occurrences.push_back(occurrence_of(*sample));
  }
}

void CauseIndex::remove_empty() {
  std::erase_if(causes_, [](const Cause& cause) { return cause.own.empty(); });
}

}  // namespace splitproof::cause
