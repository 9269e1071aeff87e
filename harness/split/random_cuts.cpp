#include "harness/split/random_cuts.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "harness/split/seam.hpp"

namespace splitproof::split {

std::uint64_t SplitMix64::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31U);
}

std::uint64_t SplitMix64::below(std::uint64_t bound) {
  std::uint64_t drawn = next();
  // The lowest 2^64 mod `bound` draws are surplus. That is less than `bound`, so the division is rarely
  // needed.
  while (drawn < bound && drawn < (0 - bound) % bound) drawn = next();
  return drawn % bound;
}

Cuts random_cuts(std::size_t size, std::size_t index, std::uint64_t seed) {
  if (size < 2) return {};
  // Scatters neighbouring seeds, so that (seed, index) and (seed+1, index-1) differ.
  SplitMix64 random(SplitMix64(seed).next() + index);

  const std::uint64_t places = size - 1;
  const std::uint64_t at_least = std::uint64_t{1}
                                 << random.below(static_cast<std::uint64_t>(std::bit_width(places)));
  const std::uint64_t at_most = std::min(2 * at_least - 1, places);
  const std::uint64_t wanted =
      std::min<std::uint64_t>(at_least + random.below(at_most - at_least + 1), kMostSurveyed);

  // Floyd's sampling (Bentley, Floyd: A Sample of Brilliance, 1987): takes each newcomer, or a random earlier
  // place.
  std::vector<bool> taken(size);
  for (std::uint64_t newcomer = places - wanted + 1; newcomer <= places; ++newcomer) {
    const std::uint64_t place = 1 + random.below(newcomer);
    taken[taken[place] ? newcomer : place] = true;
  }
  Cuts cuts;
  cuts.reserve(wanted);
  for (std::size_t offset = 1; offset < size; ++offset) {
    if (taken[offset]) cuts.push_back(offset);
  }
  return cuts;
}

}  // namespace splitproof::split
