#include "harness/cause/explanations.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/campaign/meta.hpp"

namespace splitproof::cause {
namespace {

constexpr std::size_t kManyByRecut = 8;  // recordings: fewer may have other shapes
constexpr std::size_t kDominates = 4;    // times as many findings by one recut
constexpr std::size_t kRare = 10;        // an error that every tenth recording has explains no other

}  // namespace

using results::RecordingResult;
using results::Row;
using results::Rule;
using results::Symptom;

Explanations::Explanations(const CauseIndex& index, const ConstantFaults& constant, std::size_t recordings)
    : index_(index), constant_(constant), recordings_(recordings), lost_content_(index) {
  for (std::size_t i = 0; i < index_.causes().size(); ++i)
    for (const Row* row : index_.named_rows(i))
      for (const std::string& recut : index_.recuts_that_show(*row))
        shown_by_[recut][i].insert(index_.recording_of(*row));
}

std::optional<std::size_t> Explanations::by_contract(const BehaviourSample& sample, const Symptom& symptom,
                                                     std::size_t from) const {
  const Rule& rule = index_.rule(symptom.rule);
  for (const auto& [sign, other] : sample.shows) {
    if (other->rule == symptom.rule || !follows(rule, index_.rule(other->rule)) ||
        follows(index_.rule(other->rule), rule))
      continue;
    const auto owner = index_.owner_in(sample.in, other->rule);
    if (owner && *owner != from) return owner;
  }
  return std::nullopt;
}

// A rule that follows a rule which nearly all answers of the same shape violate.
std::optional<std::size_t> Explanations::by_constant_rule(const BehaviourSample& sample,
                                                          const Symptom& symptom, std::size_t from) const {
  const Rule& rule = index_.rule(symptom.rule);
  for (const std::string& id : rule.follows) {
    const Rule* known = index_.known_rule(id);
    if (known == nullptr || !is_general_outcome(*known) || !constant_.are_in(sample, id, rule.id)) continue;
    const auto owner = index_.cause_named(id);
    if (owner && *owner != from) return owner;
  }
  return std::nullopt;
}

std::optional<std::size_t> Explanations::by_difference(const BehaviourSample& sample, const Symptom& symptom,
                                                       std::size_t from) const {
  const Rule& rule = index_.rule(symptom.rule);
  if (!compares_values(rule)) return std::nullopt;
  for (const auto& [sign, other] : sample.shows) {
    const Rule& told = index_.rule(other->rule);
    const auto owner = index_.owner_in(sample.in, other->rule);
    if (&told == &rule || !owner || *owner == from || index_.causes()[*owner].rule != &told ||
        !compares_values(told) || told.of_requests != rule.of_requests ||
        rank_of(stake_of(*other)) > rank_of(stake_of(symptom)) || !is_one_difference(symptom, *other))
      continue;
    const std::size_t theirs = index_.named_rows(*owner).size();
    const std::size_t ours = index_.named_rows(from).size();
    const bool is_told = is_boolean(symptom.violation)
                             ? !rule.of_a_shape && told.of_a_shape
                             : theirs > ours || (theirs == ours && told.of_a_shape && !rule.of_a_shape);
    if (is_told && index_.may_explain(*owner, symptom)) return owner;
  }
  return std::nullopt;
}

// A rule about a shape whose answers show only what a general rule shows in nearly all answers of another shape.
std::optional<std::size_t> Explanations::by_general_rule(const BehaviourSample& sample,
                                                         const Symptom& symptom, std::size_t from) const {
  const Rule& rule = index_.rule(symptom.rule);
  if (!rule.of_a_shape || rule.of_requests || !compares_values(rule) || is_boolean(symptom.violation))
    return std::nullopt;
  std::vector<std::size_t> general;
  bool is_all = true;
  for (const auto& [sign, other] : sample.shows) {
    const Rule& told = index_.rule(other->rule);
    if (!is_general_outcome(told) || rank_of(stake_of(*other)) > Stake::order) continue;
    // A rule that follows this one needs no violation of it, if most answers violate it without this one.
    const bool is_constant = constant_.are_in(sample, told.id, rule.id) ||
                             (follows(told, rule) && constant_.are_usual_in(sample, told.id, rule.id));
    const auto named = index_.cause_named(told.id);
    if (rank_of(stake_of(*other)) > rank_of(stake_of(symptom))) continue;
    if (is_constant && named && *named != from && is_one_difference(symptom, *other)) return named;
    const auto owner = index_.owner_in(sample.in, told.id);
    if (is_constant && named && *named != from && owner &&
        (*owner == from || index_.causes()[*owner].rule == &told))
      general.push_back(*owner == from ? *named : *owner);
    else
      is_all = false;
  }
  const auto is_kin = [&](std::size_t cause) {
    const auto family = [](const std::string& id) { return id.substr(0, id.rfind('-')); };
    return family(index_.causes()[cause].rule->id) == family(rule.id);
  };
  const auto kin = std::find_if(general.begin(), general.end(), is_kin);
  if (kin != general.end()) return *kin;
  return is_all && general.size() == 1 ? std::optional(general.front()) : std::nullopt;
}

// An error of form in the very event that ends a failed answer.
std::optional<std::size_t> Explanations::by_place(const BehaviourSample& sample, const Symptom& symptom,
                                                  std::size_t from) const {
  const Rule& rule = index_.rule(symptom.rule);
  if (rule.of_a_shape || compares_values(rule) || !symptom.place.event) return std::nullopt;
  for (const auto& [sign, other] : sample.shows) {
    if (stake_of(*other) != Stake::failure || other->place.event != symptom.place.event ||
        !index_.rule(other->rule).of_a_shape)
      continue;
    const auto owner = index_.owner_in(sample.in, other->rule);
    if (owner && *owner != from) return owner;
  }
  return std::nullopt;
}

// A stream that is wrong in the part in which the answer in one piece differs.
std::optional<std::size_t> Explanations::by_stream(const BehaviourSample& sample, const Symptom& symptom,
                                                   std::size_t from) const {
  constexpr std::string_view kStream = "in the stream it is ";
  const std::string& told = symptom.violation.found;
  const std::size_t at = told.find(kStream);
  if (symptom.rule != campaign::kSameWhole || at == std::string::npos) return std::nullopt;
  for (const BehaviourSample* other : index_.samples_in(sample.in)) {
    if (!other->arrived || other->turn) continue;
    for (const auto& [sign, shown] : other->shows) {
      std::string value = shown->violation.found;
      std::erase(value, '"');
      const auto owner = index_.owner_in(sample.in, shown->rule);
      if (is_general_outcome(index_.rule(shown->rule)) && !value.empty() && owner && *owner != from &&
          told.find(value, at + kStream.size()) != std::string::npos)
        return owner;
    }
  }
  return std::nullopt;
}

// Nothing at all comes for an upstream that failed in one way or another.
std::optional<std::size_t> Explanations::by_empty_answer(const BehaviourSample& /*sample*/,
                                                         const Symptom& symptom, std::size_t from) const {
  const auto is_empty = [](const Symptom& one) { return !one.place.event && one.place.begin == 0; };
  const auto is_failure = [](const Cause& cause) {
    return cause.kind == "open" && cause.rule->follows.empty();
  };
  if (!is_failure(index_.causes()[from]) || !is_empty(symptom)) return std::nullopt;
  for (std::size_t i = 0; i < index_.causes().size(); ++i) {
    const std::vector<const Row*> rows = index_.named_rows(i);
    const bool is_empty_too = std::all_of(rows.begin(), rows.end(), [&](const Row* row) {
      return row->first && !row->first->place.event && row->first->place.begin == 0;
    });
    if (i != from && is_failure(index_.causes()[i]) && rows.size() >= index_.named_rows(from).size() &&
        is_empty_too)
      return i;
  }
  return std::nullopt;
}

// Other events for the same content show many findings of another cause, and few of this one.
std::optional<std::size_t> Explanations::by_recut(const BehaviourSample& sample, const Symptom& symptom,
                                                  std::size_t from) const {
  std::optional<std::size_t> best;
  std::size_t most = 0;
  const Row& row = index_.finding_in(sample.in, symptom.rule);
  for (const std::string& recut : index_.recuts_that_show(row)) {
    const auto& shown = shown_by_.at(recut);
    const auto own = shown.find(from);
    const std::size_t few = own == shown.end() ? 1 : own->second.size();
    bool is_dominated = false;
    for (const auto& [cause, in] : shown) {
      if (in.size() < kManyByRecut || in.size() < few * kDominates || index_.causes()[cause].own.empty() ||
          index_.causes()[cause].rule->of_requests != index_.causes()[from].rule->of_requests ||
          !index_.may_explain(cause, symptom))
        continue;
      is_dominated = true;
      if (in.size() > most) {
        best = cause;
        most = in.size();
      }
    }
    if (!is_dominated) return std::nullopt;
  }
  return best;
}

// A rare error of the events, or a rare shape, may explain the value of the same answer.
std::optional<std::size_t> Explanations::by_rare_error(const BehaviourSample& sample, const Symptom& symptom,
                                                       std::size_t from) const {
  if (!is_general_outcome(index_.rule(symptom.rule))) return std::nullopt;
  std::optional<std::size_t> best;
  std::size_t fewest = recordings_ / kRare;
  for (const auto& [sign, other] : sample.shows) {
    const Rule& told = index_.rule(other->rule);
    const auto owner = index_.owner_in(sample.in, other->rule);
    const bool is_nearer = told.of_a_shape || !compares_values(told);
    if (!is_nearer || told.of_requests || !owner || *owner == from || index_.causes()[*owner].rule != &told ||
        rank_of(stake_of(*other)) > rank_of(stake_of(symptom)))
      continue;
    const std::size_t count = index_.recordings_of(*owner).size();
    if (count > fewest) continue;
    best = owner;
    fewest = count;
  }
  return best;
}

std::optional<Explanation> Explanations::of(const Row& row, std::size_t from) const {
  for (const BehaviourSample* sample : index_.samples_of(row)) {
    const Symptom* shown = sample->symptom_of(row.rule);
    if (shown == nullptr) continue;
    for (const auto explain :
         {&Explanations::by_contract, &Explanations::by_constant_rule, &Explanations::by_difference})
      if (const auto cause = (this->*explain)(*sample, *shown, from))
        return Explanation{*cause, Ground::certain};
    if (const auto cause = lost_content_.cause_of(*sample, *shown, from))
      return Explanation{*cause, Ground::certain};
    if (const auto cause = by_recut(*sample, *shown, from)) return Explanation{*cause, Ground::certain};
    if (const auto cause = by_general_rule(*sample, *shown, from))
      return Explanation{*cause, Ground::general};
    for (const auto explain :
         {&Explanations::by_place, &Explanations::by_stream, &Explanations::by_empty_answer})
      if (const auto cause = (this->*explain)(*sample, *shown, from))
        return Explanation{*cause, Ground::likely};
    if (const auto cause = by_rare_error(*sample, *shown, from)) return Explanation{*cause, Ground::mixture};
  }
  return std::nullopt;
}

}  // namespace splitproof::cause
