#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/cause/cause_index.hpp"
#include "harness/cause/constant_faults.hpp"
#include "harness/cause/lost_content.hpp"

namespace splitproof::cause {

/// How sure it is that another cause explains a finding.
enum class Ground {
  certain,  ///< The finding moves even if its cause stays.
  general,  ///< A general rule explains it.
  likely,   ///< All findings of its cause must have this explanation.
  mixture   ///< Certain, if the findings of its cause have nothing in common.
};

struct Explanation {
  std::size_t cause;
  Ground ground;
};

/// Finds the cause that explains a finding of another cause. Each member explains in one way; fold.hpp lists them.
class Explanations {
 public:
  /// All must outlive this object. `recordings` is the number of recordings of the target.
  Explanations(const CauseIndex& index, const ConstantFaults& constant, std::size_t recordings);

  /// Returns how a finding of the cause `from` is explained by another cause.
  std::optional<Explanation> of(const results::Row& row, std::size_t from) const;

 private:
  std::optional<std::size_t> by_contract(const BehaviourSample& sample, const results::Symptom& symptom,
                                         std::size_t from) const;
  std::optional<std::size_t> by_constant_rule(const BehaviourSample& sample, const results::Symptom& symptom,
                                              std::size_t from) const;
  std::optional<std::size_t> by_difference(const BehaviourSample& sample, const results::Symptom& symptom,
                                           std::size_t from) const;
  std::optional<std::size_t> by_general_rule(const BehaviourSample& sample, const results::Symptom& symptom,
                                             std::size_t from) const;
  std::optional<std::size_t> by_place(const BehaviourSample& sample, const results::Symptom& symptom,
                                      std::size_t from) const;
  std::optional<std::size_t> by_stream(const BehaviourSample& sample, const results::Symptom& symptom,
                                       std::size_t from) const;
  std::optional<std::size_t> by_empty_answer(const BehaviourSample& sample, const results::Symptom& symptom,
                                             std::size_t from) const;
  std::optional<std::size_t> by_recut(const BehaviourSample& sample, const results::Symptom& symptom,
                                      std::size_t from) const;
  std::optional<std::size_t> by_rare_error(const BehaviourSample& sample, const results::Symptom& symptom,
                                           std::size_t from) const;

  const CauseIndex& index_;
  const ConstantFaults& constant_;
  const std::size_t recordings_;
  const LostContent lost_content_;
  std::map<std::string, std::map<std::size_t, std::set<const results::RecordingResult*>>>
      shown_by_;  // recut, cause
};

}  // namespace splitproof::cause
