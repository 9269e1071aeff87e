#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/cause.hpp"
#include "harness/cause/separate.hpp"
#include "harness/cause/sure.hpp"

namespace splitproof::cause {

/// Returns the stake of a symptom's clause.
Stake stake_of(const results::Symptom& symptom);

/// True if both report the same found value for the same wanted value.
bool is_one_difference(const results::Symptom& a, const results::Symptom& b);

/// True if a yes or no is compared.
bool is_boolean(const contract::Violation& violation);

/// True if the rule compares answers of every shape with their meaning.
bool is_general_outcome(const results::Rule& rule);

/// Tells which cause has which finding, and moves findings from one cause to another.
class CauseIndex {
 public:
  /// All must outlive this object. Causes must be moved only through it.
  CauseIndex(std::vector<Cause>& causes, std::set<const results::Row*>& doubtful, const FindingRows& findings,
             const results::Rules& rules, const SamplesOf& samples);

  const std::vector<Cause>& causes() const { return causes_; }
  const results::Rule& rule(const std::string& id) const { return rules_.at(id); }

  /// Returns the rule, or null if the results have none with this id.
  const results::Rule* known_rule(const std::string& id) const;

  /// Returns the recording of a finding.
  const results::RecordingResult* recording_of(const results::Row& row) const { return findings_.at(&row); }

  /// Returns the finding of a rule in a recording, which must exist.
  const results::Row& finding_in(const results::RecordingResult* in, const std::string& rule) const {
    return *rows_.at({in, rule});
  }

  /// Returns the findings of the rule that names the cause, in the order of the results.
  std::vector<const results::Row*> named_rows(std::size_t cause) const;

  /// Returns the recordings of these findings.
  std::set<const results::RecordingResult*> recordings_of(std::size_t cause) const;

  /// Returns the samples of the recording, of which at least one violates a rule.
  const std::vector<const BehaviourSample*>& samples_in(const results::RecordingResult* in) const;
  const std::vector<const BehaviourSample*>& samples_of(const results::Row& row) const {
    return samples_in(recording_of(row));
  }

  /// Returns the cause of a rule's finding in a recording.
  std::optional<std::size_t> owner_in(const results::RecordingResult* in, const std::string& rule) const;

  /// Returns the cause that a rule names with most findings.
  std::optional<std::size_t> cause_named(const std::string& rule) const;

  /// True if the cause is at least as grave as the symptom.
  bool may_explain(std::size_t cause, const results::Symptom& symptom) const;

  /// Returns the recuts that show a finding. Returns none if a case without a recut shows it.
  std::set<std::string> recuts_that_show(const results::Row& row) const;

  /// Moves a finding with the others of its recording. A comparison does not show whose it is.
  void move(const results::Row& row, std::size_t from, std::size_t to);

  /// Moves a finding alone.
  void give(const results::Row& row, std::size_t from, std::size_t to);

  /// Removes the causes that have no finding. Numbers of causes are invalid afterwards.
  void remove_empty();

 private:
  std::vector<Cause>& causes_;
  std::set<const results::Row*>& doubtful_;
  const FindingRows& findings_;
  const results::Rules& rules_;
  const SamplesOf& samples_;
  std::map<std::pair<const results::RecordingResult*, std::string>, const results::Row*> rows_;
  std::map<const results::Row*, std::size_t> owners_;
};

}  // namespace splitproof::cause
