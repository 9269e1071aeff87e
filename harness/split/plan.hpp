#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "harness/split/generator.hpp"
#include "harness/split/random_cuts.hpp"

namespace splitproof::split {

/// How many seams of one kind a plan cuts alone: the first, the last, and seeded ones in between.
inline constexpr std::size_t kLoneSeamsPerKind = 4;

/// Of `count` seams, which to cut alone: the first, then seeded ones in increasing order, then the last.
std::set<std::size_t> lone_picks(std::size_t count, SplitMix64& random);

/// What `--splits`, `--sweep` and `--seed` ask for.
struct PlanSettings {
  std::size_t random = 0;  ///< number of random splits
  bool sweep = false;      ///< every single cut, in addition
  std::uint64_t seed = 0;
};

/// What splits one recording, in this order: as recorded, whole, byte by byte (up to kMostSurveyed bytes), event by event; each way to
/// chunk the last events, so that the finish, the usage and the closing mark come together or not; for each kind that it has
/// seams of, up to `kLoneSeamsPerKind` of them alone (all, if there are no more) and then all of them at
/// once; the random ones; the sweep (labelled `cuts=OFFSET`). No cuts are made, so two may make the same. A pure
/// function of its arguments, and the subject has what each asks for.
std::vector<Generator> plan(const Subject& subject, const PlanSettings& settings);

}  // namespace splitproof::split
