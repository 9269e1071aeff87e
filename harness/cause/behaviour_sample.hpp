#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"

namespace splitproof::cause {

inline constexpr std::size_t kMinSupport = 3;  ///< recordings that say little by themselves

/// Whether a rule `follows` another one by its contract.
bool follows(const results::Rule& rule, const results::Rule& other);

/// How much of what went wrong a rule tells: the more, the nearer to its cause.
enum class Specificity {
  compares,  ///< two answers with each other: not what is wrong with either
  outcome,   ///< any answer with what it should say
  joined,    ///< the joined pieces of any answer
  form,      ///< the form of any answer: an event that lacks, or is one too many, or has a wrong value
  shape      ///< answers of one shape of the upstream's
};

/// One way in which one rule is violated: by a clause, or by whatever clause of a rule about shapes.
struct ViolationKind {
  const results::Rule* rule = nullptr;
  std::size_t clause = 0;
  Specificity telling = Specificity::form;
  std::size_t rank = 0;  ///< of the rule: its place among the target's
};

/// The signs of a target, numbered from 0 in the order of its rows.
class ViolationKinds {
 public:
  /// The rules must outlive it, and have those of all results.
  ViolationKinds(const std::vector<const results::RecordingResult*>& results, const results::Rules& rules,
                 bool strict);

  std::size_t size() const { return all_.size(); }
  const ViolationKind& operator[](std::size_t sign) const { return all_[sign]; }

  /// That a symptom shows.
  std::size_t of(const results::Symptom& symptom) const;

  bool is_follower(std::size_t b, std::size_t a) const;        ///< `b` follows `a` by its contract
  bool are_one_statement(std::size_t a, std::size_t b) const;  ///< each follows the other
  bool are_kin(std::size_t a, std::size_t b) const;            ///< their ids begin alike: END-01, END-05

  /// Whether both compare what came with what should have, and found the same in place of the same.
  bool are_one_difference(const results::Symptom& a, const results::Symptom& b) const;

 private:
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers_;  // by rank of the rule and clause
  std::pair<std::size_t, std::size_t> key_of(const results::Symptom& symptom) const;

  const results::Rules* rules_;
  std::map<std::string, std::size_t> ranks_;
  std::vector<ViolationKind> all_;
};

/// One way in which cases of a recording turned out.
struct BehaviourSample {
  const results::RecordingResult* in = nullptr;
  std::size_t recording = 0;  ///< its number among the target's
  const results::Behaviour* behaviour = nullptr;
  std::string recut;  ///< its label; empty without one
  bool cut = false;   ///< only a cut, or what was held back, brings it about
  bool fault = false;
  bool turn = false;     ///< a second turn, which stands for itself
  bool arrived = false;  ///< the recording as it arrived; where that is not known, all of it are
  bool is_usual =
      true;  ///< false: its answer is that of many, as only its request is of interest, or of the turn before
  std::map<std::size_t, const results::Symptom*> shows;  ///< signs that decide, and that nobody expected
  std::vector<std::size_t> fresh;  ///< of these: those that are news beside the recording as it arrived
  std::map<std::size_t, std::size_t>
      as_before;  ///< a sign that is none: its difference is that of an earlier sign

  bool is_triggered() const { return !recut.empty() || cut || fault; }

  /// What was done to the recorded body, in words that recordings share; empty: nothing.
  std::string trigger() const;
};

/// What items show of the requests that the upstream got, or of the answers alone.
std::vector<BehaviourSample> samples_about(std::vector<BehaviourSample> items, const ViolationKinds& signs,
                                           bool requests);

/// The items of a target, recording by recording.
std::vector<BehaviourSample> samples_of(const std::vector<const results::RecordingResult*>& results,
                                        const ViolationKinds& signs, bool strict);

}  // namespace splitproof::cause
