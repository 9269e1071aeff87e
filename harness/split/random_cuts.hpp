#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/split/split.hpp"

namespace splitproof::split {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Written out here
/// since case ids must mean the same cuts with every standard library, which its distributions do not
/// promise.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t state) : state_(state) {}

  /// The next 64 bits.
  std::uint64_t next();

  /// Uniform in 0 .. bound-1; `bound` is not 0. Draws again where taking the remainder would favour small
  /// numbers.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

/// The `index`-th random split of any body of `size` bytes under `seed`.
///
/// The number of cuts k is uniform within a power of two that is itself uniform: of a body of 4,000 bytes,
/// one split in twelve has 1 cut, one in twelve 2 or 3, ..., one in twelve 2,048 to 3,999. Each set of k
/// offsets is equally likely. A body of fewer than two bytes is left whole. There are no more than
/// kMostSurveyed cuts. Costs one draw a cut.
Cuts random_cuts(std::size_t size, std::size_t index, std::uint64_t seed);

}  // namespace splitproof::split
