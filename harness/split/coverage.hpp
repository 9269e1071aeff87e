#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <vector>

#include "harness/split/generator.hpp"
#include "harness/split/seam.hpp"
#include "harness/split/split.hpp"

namespace splitproof::split {

/// Coverage of seams by the splits of some recordings: proves that a campaign cut at every sensitive place.
/// Sums over recordings with +=.
struct SeamCoverage {
  struct Count {
    std::size_t applicable = 0;  ///< Existing seams.
    std::size_t cut = 0;         ///< Cuts at a seam, over all splits.
    std::size_t alone = 0;       ///< Cuts at a seam that were the only cut of their split.

    auto operator<=>(const Count&) const = default;
  };

  std::array<Count, kSeamKinds> counts;  ///< By kind.

  const Count& of(SeamKind kind) const { return counts[static_cast<std::size_t>(kind)]; }

  SeamCoverage& operator+=(const SeamCoverage& other);

  /// Adds the coverage by other splits of the same body. So its seams are not counted again.
  void add_splits(const SeamCoverage& others);

  /// Returns the existing kinds that were never cut alone. Cuts among others do not count: `gen=bytes` cuts
  /// every seam, but hides errors of readers that get the rest in one piece. A complete plan leaves none;
  /// otherwise the harness has a bug.
  std::vector<SeamKind> uncut() const;

  auto operator<=>(const SeamCoverage&) const = default;
};

/// Counts the coverage of one body's seams, split by split. The subject must outlive it.
class SeamCounter {
 public:
  explicit SeamCounter(const Subject& subject);

  /// `cuts` ascend.
  void add(const Cuts& cuts);
  SeamCoverage coverage() const;

 private:
  const Subject& subject_;
  std::vector<std::size_t> places_;  ///< Offsets of seams, ascending.
  std::vector<std::size_t> cut_;     ///< By place.
  std::vector<std::size_t> alone_;   ///< By place.
};

}  // namespace splitproof::split
