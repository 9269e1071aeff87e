#include "harness/cause/lost_content.hpp"

#include <algorithm>
#include <string>

#include "harness/campaign/meta.hpp"
#include "harness/cause/kind.hpp"
#include "harness/cause/moved.hpp"

namespace splitproof::cause {
using results::Rule;
using results::Symptom;

std::optional<std::size_t> LostContent::cause_of(const BehaviourSample& sample, const Symptom& symptom,
                                                 std::size_t from) const {
  for (const auto explain :
       {&LostContent::by_lost_content, &LostContent::by_moved_content, &LostContent::by_early_end,
        &LostContent::by_part, &LostContent::by_absent_member, &LostContent::by_unmodified})
    if (const auto cause = (this->*explain)(sample, symptom, from)) return cause;
  return std::nullopt;
}

// An answer that lacks content does not show which text was due.
std::optional<std::size_t> LostContent::by_lost_content(const BehaviourSample& sample, const Symptom& symptom,
                                                        std::size_t from) const {
  if (symptom.rule != campaign::kAtOnce) return std::nullopt;
  for (const auto& [sign, other] : sample.shows) {
    const auto owner = index_.owner_in(sample.in, other->rule);
    if (stake_of(*other) == Stake::content && is_general_outcome(index_.rule(other->rule)) && owner &&
        *owner != from)
      return owner;
  }
  return std::nullopt;
}

// Content that is missing in one part of the answer is too much in another part.
std::optional<std::size_t> LostContent::by_moved_content(const BehaviourSample& sample,
                                                         const Symptom& symptom, std::size_t from) const {
  if (!compares_values(index_.rule(symptom.rule))) return std::nullopt;
  for (const auto& [sign, other] : sample.shows) {
    const Rule& told = index_.rule(other->rule);
    const auto owner = index_.owner_in(sample.in, other->rule);
    const bool is_lost = compares_values(told) && !told.of_requests && stake_of(*other) == Stake::content &&
                         !is_boolean(other->violation) && kind_of(*other, false).ends_with("less");
    if (is_lost && owner && *owner != from && is_moved(other->violation, symptom.violation)) return owner;
  }
  return std::nullopt;
}

// An answer that stops early, or with an error, lacks all that was due afterwards.
std::optional<std::size_t> LostContent::by_early_end(const BehaviourSample& sample, const Symptom& symptom,
                                                     std::size_t from) const {
  const bool is_less = is_content_lost(symptom);
  if (!is_less && !is_cut_off(symptom)) return std::nullopt;
  for (const auto& [sign, other] : sample.shows) {
    const auto owner = index_.owner_in(sample.in, other->rule);
    const Rule& told = index_.rule(other->rule);
    const bool is_end = stake_of(*other) == Stake::failure && is_never_sent(*other) && !told.of_a_shape &&
                        is_cut_off(symptom);
    if ((is_end || (is_less && is_unexpected_error(*other))) && owner && *owner != from &&
        index_.causes()[*owner].rule == &told)
      return owner;
  }
  return std::nullopt;
}

// The order of all parts differs if one of them does. Parts are missing from the order if content is lost.
std::optional<std::size_t> LostContent::by_part(const BehaviourSample& sample, const Symptom& symptom,
                                                std::size_t from) const {
  const Rule& rule = index_.rule(symptom.rule);
  if (stake_of(symptom) != Stake::order || rule.of_requests || !compares_values(rule)) return std::nullopt;
  const bool is_joint = is_general_outcome(rule) && cause::stake_of(rule.id, 0) == Stake::content;
  const bool lacks_parts = manner_of_values(symptom.violation) == "less";
  std::optional<std::size_t> rarest;
  for (const auto& [sign, other] : sample.shows) {
    const auto owner = index_.owner_in(sample.in, other->rule);
    const Rule& told = index_.rule(other->rule);
    if (!is_general_outcome(told) || stake_of(*other) != Stake::content || !owner || *owner == from) continue;
    if (!(is_joint && index_.causes()[*owner].rule == &told) && !(lacks_parts && is_content_lost(*other)))
      continue;
    if (!rarest || index_.named_rows(*owner).size() < index_.named_rows(*rarest).size()) rarest = owner;
  }
  return rarest;
}

// A missing member makes the value that is read from it differ.
std::optional<std::size_t> LostContent::by_absent_member(const BehaviourSample& sample,
                                                         const Symptom& symptom, std::size_t from) const {
  if (compares_values(index_.rule(symptom.rule)) || symptom.violation.found != "absent") return std::nullopt;
  for (const auto& [sign, other] : sample.shows) {
    const auto owner = index_.owner_in(sample.in, other->rule);
    if (is_general_outcome(index_.rule(other->rule)) && other->violation.found == "absent" &&
        other->place == symptom.place && rank_of(stake_of(*other)) <= rank_of(stake_of(symptom)) && owner &&
        *owner != from)
      return owner;
  }
  return std::nullopt;
}

// A rule about what a recut adds, if the recording lacks the same content without the recut.
std::optional<std::size_t> LostContent::by_unmodified(const BehaviourSample& sample, const Symptom& symptom,
                                                      std::size_t from) const {
  if (!index_.rule(symptom.rule).of_a_shape || sample.recut.empty()) return std::nullopt;
  for (const auto& [sign, other] : sample.shows) {
    const auto owner = index_.owner_in(sample.in, other->rule);
    if (!is_general_outcome(index_.rule(other->rule)) || stake_of(*other) != Stake::content || !owner ||
        *owner == from)
      continue;
    for (const BehaviourSample* plain : index_.samples_in(sample.in)) {
      const auto known = plain->shows.find(sign);
      if (plain->arrived && !plain->turn && known != plain->shows.end() &&
          is_one_difference(*known->second, *other))
        return owner;
    }
  }
  return std::nullopt;
}

// True if the answer ended without something, and no value is compared.
bool LostContent::is_never_sent(const Symptom& symptom) const {
  return index_.rule(symptom.rule).form.find("pattern") != std::string::npos && !symptom.place.event &&
         symptom.violation.found.empty() && symptom.violation.wanted.empty();
}

// True if it was never sent, or if a count is missing that the end of the answer would have had. A text that is shorter
// does not show whether the end cut it off.
bool LostContent::is_cut_off(const Symptom& symptom) const {
  return is_never_sent(symptom) || (stake_of(symptom) == Stake::money && !symptom.place.event) ||
         (compares_values(index_.rule(symptom.rule)) && symptom.violation.found == "absent");
}

bool LostContent::is_unexpected_error(const Symptom& symptom) const {
  return compares_values(index_.rule(symptom.rule)) && symptom.violation.found == "true" &&
         symptom.violation.wanted == "false";
}

bool LostContent::is_content_lost(const Symptom& symptom) const {
  return is_general_outcome(index_.rule(symptom.rule)) && stake_of(symptom) == Stake::content &&
         !is_boolean(symptom.violation) && kind_of(symptom, false).ends_with("less");
}

}  // namespace splitproof::cause
