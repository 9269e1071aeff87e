#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/co_occurrence.hpp"

namespace splitproof::cause {

/// A rule that is violated in a recording.
using ViolatedRule = std::pair<const results::RecordingResult*, const results::Rule*>;

/// Violations with one cause.
struct Group {
  std::vector<std::size_t> roots;             ///< Signs; the first shows in most recordings.
  std::vector<const BehaviourSample*> items;  ///< Items that show a root.
  std::vector<ViolatedRule> violations;       ///< Findings of the group.
  std::vector<ViolatedRule> doubtful;         ///< Subset that merely co-occurs and may have another cause.
};

/// Groups the violations of a target's cases by the steps in cause.hpp. Every violation that a case shows is
/// in exactly one group.
class Grouping {
 public:
  Grouping(const std::vector<BehaviourSample>& items, const ViolationKinds& signs);

  /// Returns the groups; each has at least one violation.
  std::vector<Group> groups() const;

  /// Violations that would be roots without a larger cause in their recording.
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

  /// Compares the number of elements found with the number expected.
  enum class Manner { fewer, more, other };
  using Way = std::set<std::pair<std::size_t, Manner>>;  // signs that accompany a root

  std::size_t top_of(std::size_t sign) const;
  Roots roots_of(const BehaviourSample& item) const;
  bool is_behind(std::size_t a, std::size_t b) const;
  bool may_explain(std::size_t a, std::size_t b) const;
  bool may_coincide(std::size_t a, std::size_t b) const;
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
  void join_coinciding(std::size_t a, std::size_t b);
  /// The root that describes a group best has the lowest rank: it is no mere comparison, is grave, and has most cases.
  std::tuple<bool, Stake, long, long> rank_of_root(std::size_t root) const;

  std::size_t leader(std::size_t root) const;
  Roots of_rule(std::size_t sign) const;                          // signs of the same rule
  std::vector<std::size_t> samples_of(const Roots& roots) const;  // indexes of the items that show a root
  std::vector<std::size_t> arrived_of(const Roots& roots) const;  // items from unmodified recordings
  std::size_t count_recordings(const Roots& roots) const;  // recordings that show them, modified or not
  Recordings recordings_of(const Roots& roots) const;      // recordings of arrived items
  std::map<std::size_t, Roots> clusters() const;           // by leader; near-universal roots are omitted
  bool end_differently(std::size_t a, std::size_t b) const;
  std::string usual_kind(std::size_t root) const;  // kind (kind.hpp) of most items that show it
  static Manner manner_of(const results::Symptom& symptom);
  Way way_of(const Roots& roots) const;
  bool have_a_shape_of_their_own(const Roots& roots) const;
  std::pair<Items, Items> of_recording(std::size_t i) const;
  std::size_t agreement(std::size_t a, std::size_t b, std::size_t i) const;
  bool is_agreed(std::size_t a, std::size_t b, std::size_t i) const;

  /// The root that a sign is counted under. `is_sure`: the root is known to cause it.
  struct Owner {
    std::size_t lead;
    bool is_sure;
  };
  Owner owner_of(std::size_t sign, std::size_t item) const;

  const std::vector<BehaviourSample>& items_;
  const ViolationKinds& signs_;
  const CoOccurrence together_;
  std::vector<bool> stands_;  // by sign: near-universal
  std::vector<Roots> roots_;  // by item
  std::set<ViolatedRule> doubtful_;
  std::vector<std::size_t> leaders_;  // by sign: next step of the chain to its leader
};

}  // namespace splitproof::cause
