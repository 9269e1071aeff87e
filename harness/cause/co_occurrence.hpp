#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"

namespace splitproof::cause {

/// Counts in which unmodified recordings signs show, and in which their rules were checked. Recordings with a
/// common answer are not counted.
class CoOccurrence {
 public:
  CoOccurrence(const std::vector<BehaviourSample>& items, const ViolationKinds& signs);

  std::size_t items() const { return items_; }           ///< recordings counted
  std::size_t count(std::size_t sign) const;             ///< recordings that show the sign
  std::size_t both(std::size_t a, std::size_t b) const;  ///< recordings that show both

  /// True if the sign is near-universal. It shows in at least 20 recordings, in over 60% of the recordings
  /// that check its rule, and in over 30% of all. Its co-occurrence proves nothing.
  bool stands(std::size_t sign) const;

  /// True if the sign shows in at least 3 recordings and in 80% of the recordings that check its rule.
  bool is_constant(std::size_t sign) const;

  /// True if `b` rarely shows without `a`, and `a` shows more often. At equal counts, the first sign contains
  /// the other.
  bool is_inside(std::size_t b, std::size_t a) const;

  /// True if `b` accompanies `a` and rarely shows otherwise. It must show in 80% of the recordings that show
  /// `a` and check `b`. In the others that check `b` it may show at most 0.6 times as often. Needs at least
  /// three of these others.
  bool comes_with(std::size_t b, std::size_t a) const;

 private:
  using Bits = std::vector<std::uint64_t>;
  struct Seen {
    Bits shows;
    Bits asked;
  };
  std::vector<Seen> seen_;  // by sign
  std::size_t items_ = 0;
};

}  // namespace splitproof::cause
