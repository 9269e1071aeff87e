#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "harness/split/generator.hpp"
#include "harness/split/random_cuts.hpp"

namespace splitproof::split {

/// Number of seams of a kind that a plan cuts alone: first, last and seeded ones in between.
inline constexpr std::size_t kLoneSeamsPerKind = 4;

/// Selects the seams to cut alone, of `count`: the first, seeded ones in increasing order, the last.
std::set<std::size_t> lone_picks(std::size_t count, SplitMix64& random);

/// The options `--splits`, `--sweep` and `--seed`.
struct PlanSettings {
  std::size_t random = 0;  ///< number of random splits
  bool sweep = false;      ///< also every single cut
  std::uint64_t seed = 0;
};

/// Returns the generators for a recording, in this order:
///
/// - the recorded chunks, whole, byte by byte (up to kMostSurveyed bytes), event by event;
/// - each chunking of the last events, so that finish, usage and closing mark come together or apart;
/// - for each kind of seam up to `kLoneSeamsPerKind` seams alone, then all at once;
/// - random splits;
/// - the sweep (labelled `cuts=OFFSET`).
///
/// Makes no cuts, so two generators may make the same cuts. A pure function of its arguments. The subject has
/// every seam that a generator names.
std::vector<Generator> plan(const Subject& subject, const PlanSettings& settings);

}  // namespace splitproof::split
