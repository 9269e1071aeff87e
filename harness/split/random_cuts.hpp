#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/split/split.hpp"

namespace splitproof::split {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Implemented here
/// because case ids must mean the same cuts with every standard library.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t state) : state_(state) {}

  /// Returns the next 64 bits.
  std::uint64_t next();

  /// Returns a uniform number in 0 .. bound-1; `bound` is not 0. Draws again if the remainder would favour
  /// small numbers.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

/// Returns the random split number `index` for a body of `size` bytes under `seed`.
///
/// The number of cuts k is uniform within a power of two, which is itself uniform. In a body of 4,000 bytes,
/// one split in twelve has 1 cut, one in twelve 2 or 3, ..., one in twelve 2,048 to 3,999. All sets of k
/// offsets are equally likely. A body of fewer than two bytes stays whole. At most kMostSurveyed cuts. Costs
/// one draw per cut.
Cuts random_cuts(std::size_t size, std::size_t index, std::uint64_t seed);

}  // namespace splitproof::split
