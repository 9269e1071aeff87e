#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/co_occurrence.hpp"

namespace splitproof::cause {

/// That a rule is violated in a recording.
using ViolatedRule = std::pair<const results::RecordingResult*, const results::Rule*>;

/// What is one thing to fix.
struct Group {
  std::vector<std::size_t> roots;             ///< signs, the one that shows in most recordings first
  std::vector<const BehaviourSample*> items;  ///< that show a root
  std::vector<ViolatedRule> violations;       ///< its own
  std::vector<ViolatedRule>
      doubtful;  ///< of these: what only shows in the same cases, and may come of something else
};

/// Puts what the cases of a target violate into groups, by the rules that cause.hpp states. Every violation that a case shows
/// is in one of them.
class Grouping {
 public:
  Grouping(const std::vector<BehaviourSample>& items, const ViolationKinds& signs);

  /// None is without violations.
  std::vector<Group> groups() const;

  /// What would be a root, but for what is greater in its recording.
  const std::set<ViolatedRule>& doubtful() const { return doubtful_; }

 private:
  using Roots = std::vector<std::size_t>;
  using Items = std::vector<BehaviourSample>::const_iterator;
  using Recordings = std::set<const results::RecordingResult*>;

  template <class T>
  static bool contains(const std::vector<T>& all, const T& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }
  static bool is_nearly(std::size_t part, std::size_t whole) { return part * 5 >= whole * 4; }

  /// How what came differs from what should have: there are fewer things, or more, or something else is the matter.
  enum class Manner { fewer, more, other };
  using Way = std::set<std::pair<std::size_t, Manner>>;  // the signs beside a root

  std::size_t top_of(std::size_t sign) const;
  Roots roots_of(const BehaviourSample& item) const;
  bool is_behind(std::size_t a, std::size_t b) const;
  void keep_one_root_a_trigger();
  void drop_lone_roots();
  void drop_healed();
  void yield_to_greater();

  void join_alike();
  void join_by_recut();
  void join_lone();
  void join_garbled();
  void join_to_where_it_shows();
  void join_kin();
  void join_to_usual();
  void join_within_shape();
  void join_invented();
  void join_statements();
  void join(std::size_t a, std::size_t b);

  std::size_t leader(std::size_t root) const;
  Roots of_rule(std::size_t sign) const;                          // the signs of its rule
  std::vector<std::size_t> samples_of(const Roots& roots) const;  // their numbers
  std::vector<std::size_t> arrived_of(const Roots& roots) const;  // of these: the recordings as they arrived
  std::size_t count_recordings(const Roots& roots) const;         // in which they show, however
  Recordings recordings_of(const Roots& roots) const;             // of arrived items
  std::map<std::size_t, Roots> clusters() const;                  // of roots that do not stand, by leader
  static Manner manner_of(const results::Symptom& symptom);
  Way way_of(const Roots& roots) const;
  bool have_a_shape_of_their_own(const Roots& roots) const;
  std::pair<Items, Items> of_recording(std::size_t i) const;
  std::size_t agreement(std::size_t a, std::size_t b, std::size_t i) const;
  bool is_agreed(std::size_t a, std::size_t b, std::size_t i) const;

  /// Under which root something is told, and whether that is known to bring it about.
  struct Owner {
    std::size_t lead;
    bool is_sure;
  };
  Owner owner_of(std::size_t sign, std::size_t item) const;

  const std::vector<BehaviourSample>& items_;
  const ViolationKinds& signs_;
  const CoOccurrence together_;
  std::vector<bool> stands_;  // by sign
  std::vector<Roots> roots_;  // by item
  std::set<ViolatedRule> doubtful_;
  std::vector<std::size_t> leaders_;  // by sign: a chain to the root that it is joined with
};

}  // namespace splitproof::cause
