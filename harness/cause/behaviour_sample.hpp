#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/cause/stake.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"

namespace splitproof::cause {

inline constexpr std::size_t kMinSupport = 3;  ///< Minimum support: so few recordings prove little.

/// True if the contract lists `other` under `follows` of `rule`.
bool follows(const results::Rule& rule, const results::Rule& other);

/// True if the rule compares values of the answer with their meaning.
bool compares_values(const results::Rule& rule);

/// Returns the stake to compare with others: a failure that looks like a success is as grave as lost content.
Stake rank_of(Stake stake);

/// Specificity of a rule, least specific first. A more specific rule is nearer to the cause.
enum class Specificity {
  compares,  ///< Compares two answers; does not show which is wrong.
  outcome,   ///< Compares an answer with its expected meaning.
  joined,    ///< Checks the joined pieces of an answer.
  form,      ///< Checks events: one is missing, superfluous or has a wrong value.
  shape      ///< Applies only to upstream answers of one shape.
};

/// One way to violate a rule: a clause, or any clause of a rule about shapes.
struct ViolationKind {
  const results::Rule* rule = nullptr;
  std::size_t clause = 0;
  Specificity telling = Specificity::form;
  std::size_t rank = 0;  ///< Place of the rule among the target's rules.
  Stake stake = Stake::form;
};

/// The signs of a target, numbered from 0 in the order of its rows.
class ViolationKinds {
 public:
  /// `rules` must outlive this object and contain the rules of all results.
  ViolationKinds(const std::vector<const results::RecordingResult*>& results, const results::Rules& rules,
                 bool strict);

  std::size_t size() const { return all_.size(); }
  const ViolationKind& operator[](std::size_t sign) const { return all_[sign]; }

  /// Returns the sign of a symptom.
  std::size_t of(const results::Symptom& symptom) const;

  bool is_follower(std::size_t b, std::size_t a) const;        ///< The rule of `b` follows the rule of `a`.
  bool are_one_statement(std::size_t a, std::size_t b) const;  ///< Each follows the other.
  bool are_kin(std::size_t a, std::size_t b) const;            ///< Ids with the same prefix: END-01, END-05.

  /// True if both report the same found value for the same wanted value.
  bool are_one_difference(const results::Symptom& a, const results::Symptom& b) const;

 private:
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers_;  // by rank of the rule and clause
  std::pair<std::size_t, std::size_t> key_of(const results::Symptom& symptom) const;

  const results::Rules* rules_;
  std::map<std::string, std::size_t> ranks_;
  std::vector<ViolationKind> all_;
};

/// One distinct behaviour of a recording.
struct BehaviourSample {
  const results::RecordingResult* in = nullptr;
  std::size_t recording = 0;  ///< Index among the target's recordings.
  const results::Behaviour* behaviour = nullptr;
  std::string recut;  ///< Label; empty without a recut.
  bool cut = false;   ///< It shows only if the body is cut or held back.
  bool fault = false;
  bool turn = false;     ///< A second turn, which is not compared.
  bool arrived = false;  ///< The unmodified recording; without one, every item.
  /// false: its answer resembles many others, because only the request or an earlier turn matters
  bool is_usual = true;
  std::map<std::size_t, const results::Symptom*> shows;  ///< Deciding, unexpected signs.
  std::vector<std::size_t> fresh;                        ///< Signs that the unmodified recording lacks.
  std::map<std::size_t, std::size_t> as_before;  ///< Old sign, and the earlier sign with its difference.

  /// Returns how it violates a rule, or null if it does not.
  const results::Symptom* symptom_of(const std::string& rule) const;

  bool is_triggered() const { return !recut.empty() || cut || fault; }

  /// Returns the kind of modification of the body, equal across recordings. Empty: none.
  std::string trigger() const;
};

/// Samples of each recording.
using SamplesOf = std::map<const results::RecordingResult*, std::vector<const BehaviourSample*>>;

/// Returns the samples of a recording, or none.
const std::vector<const BehaviourSample*>& samples_in(const SamplesOf& samples,
                                                      const results::RecordingResult* in);

/// Keeps only the signs of upstream requests, or only those of answers.
std::vector<BehaviourSample> samples_about(std::vector<BehaviourSample> items, const ViolationKinds& signs,
                                           bool requests);

/// Returns the items of a target, recording by recording.
std::vector<BehaviourSample> samples_of(const std::vector<const results::RecordingResult*>& results,
                                        const ViolationKinds& signs, bool strict);

}  // namespace splitproof::cause
