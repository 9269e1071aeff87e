#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"

namespace splitproof::cause {

/// Tells in which shapes of the upstream's answer a rule is nearly always violated: a program that never sends thinking
/// violates its rule in every answer with thinking.
class ConstantFaults {
 public:
  /// Uses the unmodified recordings. `answers` must outlive this object.
  explicit ConstantFaults(const std::vector<BehaviourSample>& answers) : answers_(answers) {}

  /// True if the rule is nearly always violated in answers with one of the shapes of `sample`. Does not count answers
  /// that violate the rule `apart`, which may be the reason.
  bool are_in(const BehaviourSample& sample, const std::string& rule, const std::string& apart) const;

  /// True if most answers with one of these shapes violate the rule. Counts as above.
  bool are_usual_in(const BehaviourSample& sample, const std::string& rule, const std::string& apart) const;

  /// True if most of these recordings have one shape, and most recordings with it violate the rule. One fault has such a
  /// condition.
  bool have_one_shape(const std::set<const results::RecordingResult*>& in, const std::string& rule) const;

 private:
  struct Count {
    std::size_t asked = 0;
    std::size_t violated = 0;
  };
  using Counts = std::map<std::string, Count>;  // by shape

  Counts count(const std::string& rule, const std::string& apart) const;
  bool is_share_in(const BehaviourSample& sample, const std::string& rule, const std::string& apart,
                   std::size_t part, std::size_t whole) const;

  const std::vector<BehaviourSample>& answers_;
  mutable std::map<std::pair<std::string, std::string>, Counts> known_;
};

}  // namespace splitproof::cause
