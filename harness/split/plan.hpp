#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/split/generator.hpp"
#include "harness/split/split.hpp"

namespace splitproof::split {

/// How many seams of one kind a plan cuts alone: the first, the last, and seeded ones in between.
inline constexpr std::size_t kLoneSeamsPerKind = 4;

/// What `--splits`, `--sweep` and `--seed` ask for.
struct Settings {
  std::size_t random = 0;  ///< number of random splits
  bool sweep = false;      ///< every single cut, in addition
  std::uint64_t seed = 0;
};

/// The splits of one recording, in this order: as recorded, whole, byte by byte, event by event; each way to
/// chunk the last events, so that the finish, the usage and the closing mark come together or not; for each kind that it has
/// seams of, up to `kLoneSeamsPerKind` of them alone (all, if there are no more) and then all of them at
/// once; the random ones; the sweep (labelled `cuts=OFFSET`). Splits with equal cuts are planned once, under
/// the first label. A pure function of its arguments, and every label resolves to its cuts by `generate`.
std::vector<Split> plan(const Subject& subject, const Settings& settings);

}  // namespace splitproof::split
