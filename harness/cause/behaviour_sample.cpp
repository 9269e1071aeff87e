#include "harness/cause/behaviour_sample.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/meta.hpp"

namespace splitproof::cause {
namespace {

using results::Behaviour;
using results::RecordingResult;
using results::Rule;
using results::Symptom;

Specificity telling_of(const Rule& rule) {
  if (rule.id == campaign::kSameBytes || rule.id == campaign::kSameMeaning) return Specificity::compares;
  if (rule.of_a_shape) return Specificity::shape;
  if (rule.form.starts_with("equality")) return Specificity::outcome;
  return rule.form.starts_with("joined") ? Specificity::joined : Specificity::form;
}

bool counts(const RecordingResult& result, const Symptom& symptom, bool strict) {
  if (symptom.expected || !results::decides(symptom, strict)) return false;
  return std::none_of(result.rows.begin(), result.rows.end(),
                      [&](const results::Row& row) { return row.expectation && row.rule == symptom.rule; });
}

BehaviourSample item_of(const RecordingResult& result, const Behaviour& behaviour,
                        const ViolationKinds& signs, bool strict) {
  BehaviourSample item;
  item.in = &result;
  item.behaviour = &behaviour;
  if (const auto one = campaign::parse_case(behaviour.case_id)) {
    item.recut = one->recut;
    if (one->frames != observe::FrameStyle()) item.recut += "frames=" + observe::label(one->frames);
    item.fault = one->alteration() != campaign::Alteration::none;
    item.turn = one->turn != campaign::Turn::first;
    item.cut = item.recut.empty() && !item.fault && !std::holds_alternative<split::Whole>(one->split) &&
               !std::holds_alternative<split::AsRecorded>(one->split);
  }
  for (const Symptom& symptom : behaviour.symptoms)
    if (counts(result, symptom, strict)) item.shows.emplace(signs.of(symptom), &symptom);
  return item;
}

// Finds the signs of an item that the unmodified recording lacks.
void find_fresh(BehaviourSample& item, const BehaviourSample* arrived, const ViolationKinds& signs) {
  const bool is_beside = arrived != nullptr && arrived != &item;
  item.arrived = !is_beside;
  for (const auto& [sign, symptom] : item.shows) {
    if (is_beside) {
      const Symptom* before = nullptr;
      for (const auto& [other, known] : arrived->shows) {
        if (known->rule == symptom->rule) before = known;
        if (before == nullptr && signs.are_one_difference(*known, *symptom))
          item.as_before.emplace(sign, other);
      }
      if (before != nullptr || item.as_before.count(sign) != 0) continue;
    }
    item.fresh.push_back(sign);
  }
  // A difference from an answer that is already wrong is not new.
  const bool only_differs = std::all_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t sign) {
    return signs[sign].telling == Specificity::compares;
  });
  if (is_beside && only_differs && !arrived->shows.empty()) item.fresh.clear();
}

}  // namespace

bool follows(const Rule& rule, const Rule& other) {
  return std::find(rule.follows.begin(), rule.follows.end(), other.id) != rule.follows.end();
}

Stake rank_of(Stake stake) { return stake == Stake::failure ? Stake::content : stake; }

bool compares_values(const Rule& rule) { return rule.form.find("equality") != std::string::npos; }

ViolationKinds::ViolationKinds(const std::vector<const RecordingResult*>& results,
                               const results::Rules& rules, bool strict)
    : rules_(&rules) {
  for (const RecordingResult* result : results)
    for (const results::Row& row : result->rows) ranks_.try_emplace(row.rule, ranks_.size());
  for (const RecordingResult* result : results)
    for (const Behaviour& behaviour : result->behaviours)
      for (const Symptom& symptom : behaviour.symptoms)
        if (counts(*result, symptom, strict)) numbers_.try_emplace(key_of(symptom));
  for (auto& [place, number] : numbers_) {
    number = all_.size();
    const auto ranked = std::find_if(ranks_.begin(), ranks_.end(), [rank = place.first](const auto& entry) {
      return entry.second == rank;
    });
    const Rule& rule = rules.at(ranked->first);
    all_.push_back({&rule, place.second, telling_of(rule), place.first, stake_of(rule.id, place.second)});
  }
}

std::size_t ViolationKinds::of(const Symptom& symptom) const { return numbers_.at(key_of(symptom)); }

std::pair<std::size_t, std::size_t> ViolationKinds::key_of(const Symptom& symptom) const {
  return {ranks_.at(symptom.rule), rules_->at(symptom.rule).of_a_shape ? 0 : symptom.violation.clause};
}

bool ViolationKinds::is_follower(std::size_t b, std::size_t a) const {
  return follows(*all_[b].rule, *all_[a].rule);
}

bool ViolationKinds::are_one_statement(std::size_t a, std::size_t b) const {
  return is_follower(a, b) && is_follower(b, a);
}

bool ViolationKinds::are_kin(std::size_t a, std::size_t b) const {
  const auto kind = [this](std::size_t sign) {
    return all_[sign].rule->id.substr(0, all_[sign].rule->id.rfind('-'));
  };
  return kind(a) == kind(b);
}

bool ViolationKinds::are_one_difference(const Symptom& a, const Symptom& b) const {
  const auto tells_meaning = [this](const Symptom& symptom) {
    const Specificity telling = telling_of(rules_->at(symptom.rule));
    return telling == Specificity::outcome || telling == Specificity::shape;
  };
  return tells_meaning(a) && tells_meaning(b) && !a.violation.wanted.empty() &&
         a.violation.found == b.violation.found && a.violation.wanted == b.violation.wanted;
}

const Symptom* BehaviourSample::symptom_of(const std::string& rule) const {
  const auto found =
      std::find_if(shows.begin(), shows.end(), [&](const auto& entry) { return entry.second->rule == rule; });
  return found == shows.end() ? nullptr : found->second;
}

std::string BehaviourSample::trigger() const {
  if (fault) {  // "flip" from "flip@118:80"
    const auto one = campaign::parse_case(behaviour->case_id);
    const std::string label = one->fault ? campaign::label(*one->fault) : one->edit;
    return (one->fault ? "fault " : "edit ") + label.substr(0, label.find_first_of("@:"));
  }
  return cut ? "cut" : recut;
}

std::vector<BehaviourSample> samples_about(std::vector<BehaviourSample> items, const ViolationKinds& signs,
                                           bool requests) {
  const auto is_other = [&](std::size_t sign) { return signs[sign].rule->of_requests != requests; };
  for (BehaviourSample& item : items) {
    item.is_usual = requests || !(item.turn || item.in->recording.about_request);
    std::erase_if(item.shows, [&](const auto& entry) { return is_other(entry.first); });
    std::erase_if(item.fresh, is_other);
    std::erase_if(item.as_before, [&](const auto& entry) { return is_other(entry.first); });
  }
  return items;
}

const std::vector<const BehaviourSample*>& samples_in(const SamplesOf& samples, const RecordingResult* in) {
  static const std::vector<const BehaviourSample*> none;
  const auto found = samples.find(in);
  return found == samples.end() ? none : found->second;
}

std::vector<BehaviourSample> samples_of(const std::vector<const RecordingResult*>& results,
                                        const ViolationKinds& signs, bool strict) {
  std::vector<BehaviourSample> items;
  for (std::size_t recording = 0; recording < results.size(); ++recording) {
    const RecordingResult& result = *results[recording];
    const std::size_t first = items.size();
    for (const Behaviour& behaviour : result.behaviours) {
      items.push_back(item_of(result, behaviour, signs, strict));
      items.back().recording = recording;
    }
    // Prefers the recorded chunks; otherwise takes the recording in one piece.
    const BehaviourSample* arrived = nullptr;
    for (std::size_t i = first; i < items.size(); ++i) {
      if (items[i].is_triggered() || items[i].turn) continue;
      if (arrived == nullptr || items[i].behaviour->case_id.ends_with("gen=recorded")) arrived = &items[i];
    }
    for (std::size_t i = first; i < items.size(); ++i)
      find_fresh(items[i], items[i].turn ? nullptr : arrived, signs);
  }
  return items;
}

}  // namespace splitproof::cause
