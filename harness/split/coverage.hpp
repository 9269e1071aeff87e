#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <vector>

#include "harness/split/generator.hpp"
#include "harness/split/seam.hpp"
#include "harness/split/split.hpp"

namespace splitproof::split {

/// How far the splits of some recordings went over their seams: what a campaign shows to have cut in every
/// place that can hurt. Sums over recordings with +=.
struct SeamCoverage {
  struct Count {
    std::size_t applicable = 0;  ///< seams that exist
    std::size_t cut = 0;         ///< cuts that fell on one, over all splits
    std::size_t alone = 0;       ///< of these, cuts that were the only one of their split

    auto operator<=>(const Count&) const = default;
  };

  std::array<Count, kSeamKinds> counts;  ///< by kind

  const Count& of(SeamKind kind) const { return counts[static_cast<std::size_t>(kind)]; }

  SeamCoverage& operator+=(const SeamCoverage& other);

  /// Kinds that exist but were never cut alone. Cuts among others do not count here: byte by byte cuts every
  /// seam, and hides what happens to a reader that gets the rest of the body in one piece. A plan leaves
  /// none, so for a campaign that ran its whole plan this is an error of the harness.
  std::vector<SeamKind> uncut() const;

  auto operator<=>(const SeamCoverage&) const = default;
};

/// Counts the coverage of one body's seams, a split of it after the other. The subject must outlive it.
class SeamCounter {
 public:
  explicit SeamCounter(const Subject& subject);

  /// `cuts` ascend.
  void add(const Cuts& cuts);
  SeamCoverage coverage() const;

 private:
  const Subject& subject_;
  std::vector<std::size_t> places_;  ///< of seams, ascending
  std::vector<std::size_t> cut_;     ///< by place
  std::vector<std::size_t> alone_;   ///< by place
};

}  // namespace splitproof::split
