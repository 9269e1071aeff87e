#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::hunt {

/// Maximum number of cuts that the mutator gives a case.
inline constexpr std::size_t kMostCutsOfCase = 12;

/// Makes cases from cases. It adds, moves or removes cuts at seams, edits events, and crosses in events of other recordings.
/// It also recuts, breaks the upstream, and asks for a further turn.
class Mutator {
 public:
  /// The recordings must outlive the mutator. `traits` describes the target.
  Mutator(const std::vector<const recording::Recording*>& recordings, const testee::Traits& traits);

  /// Returns the cases to begin with: each recording as recorded, whole and byte by byte.
  std::vector<campaign::Case> seeds() const;

  /// Returns another case of the same recording, after one to four changes. Its recording has it: campaign::upstream_of
  /// returns no Error. `other` is a case to mix with. A pure function of the arguments.
  campaign::Case mutate(const campaign::Case& one, const campaign::Case& other,
                        split::SplitMix64& random) const;

 private:
  void change(campaign::Case& one, const campaign::Case& other, split::SplitMix64& random) const;
  void change_cuts(campaign::Case& one, split::SplitMix64& random) const;
  void change_edits(campaign::Case& one, const campaign::Case& other, split::SplitMix64& random) const;
  void change_recut(campaign::Case& one, split::SplitMix64& random) const;
  void change_fault(campaign::Case& one, split::SplitMix64& random) const;
  void change_turn(campaign::Case& one, split::SplitMix64& random) const;
  std::vector<std::string> donors(const std::string& protocol, split::SplitMix64& random) const;
  const recording::Recording& recording_of(const campaign::Case& one) const;

  const testee::Traits traits_;
  std::vector<const recording::Recording*> recordings_;
  std::map<std::string, const recording::Recording*> by_id_;
  std::map<std::string, std::vector<const recording::Recording*>> by_protocol_;
};

}  // namespace splitproof::hunt
