#include "harness/split/random_cuts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "harness/split/repeatable_cuts.hpp"
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

namespace {

/// Draws how many cuts a split has.
std::uint64_t draw_count(std::uint64_t places, SplitMix64& random) {
  const std::uint64_t at_least = std::uint64_t{1}
                                 << random.below(static_cast<std::uint64_t>(std::bit_width(places)));
  const std::uint64_t at_most = std::min(2 * at_least - 1, places);
  return std::min<std::uint64_t>(at_least + random.below(at_most - at_least + 1), kMostSurveyed);
}

constexpr std::size_t kBits = 64;

/// Draws the cuts of a split. `taken` has a bit for each place; all are zero before and after.
void draw(std::size_t size, std::uint64_t wanted, SplitMix64& random, std::vector<std::uint64_t>& taken,
          Cuts& cuts) {
  // Floyd's sampling (Bentley, Floyd: A Sample of Brilliance, 1987): takes each newcomer, or a random earlier
  // place.
  constexpr std::uint64_t kFew = 16;  // finding them in all places takes longer than sorting them
  cuts.clear();
  cuts.reserve(wanted);
  for (std::uint64_t newcomer = size - wanted; newcomer < size; ++newcomer) {
    const std::uint64_t place = 1 + random.below(newcomer);
    const bool is_taken = (taken[place / kBits] >> place % kBits & 1U) != 0;
    const std::uint64_t cut = is_taken ? newcomer : place;
    taken[cut / kBits] |= std::uint64_t{1} << cut % kBits;
    if (wanted <= kFew) cuts.push_back(cut);
  }
  if (wanted <= kFew) {
    std::sort(cuts.begin(), cuts.end());
    for (const std::size_t cut : cuts) taken[cut / kBits] = 0;
    return;
  }
  for (std::size_t word = 0; word < taken.size(); ++word) {
    for (std::uint64_t rest = std::exchange(taken[word], 0); rest != 0; rest &= rest - 1)
      cuts.push_back(word * kBits + static_cast<std::size_t>(std::countr_zero(rest)));
  }
}

/// Scatters neighbouring seeds, so that (seed, index) and (seed+1, index-1) differ.
SplitMix64 source_of(std::size_t index, std::uint64_t seed) {
  return SplitMix64(SplitMix64(seed).next() + index);
}

/// Returns a lower bound of the logarithm, to base 2, of the number of sets of `wanted` of `places`.
double bits_of_sets(std::uint64_t places, std::uint64_t wanted) {
  if (wanted >= places) return 0;
  const auto all = static_cast<double>(places);
  const auto taken = static_cast<double>(wanted);
  const double rest = all - taken;
  return taken * std::log2(all / taken) + rest * std::log2(all / rest) - std::log2(all + 1);
}

}  // namespace

Cuts random_cuts(std::size_t size, std::size_t index, std::uint64_t seed) {
  if (size < 2) return {};
  SplitMix64 random = source_of(index, seed);
  const std::uint64_t wanted = draw_count(size - 1, random);
  std::vector<std::uint64_t> taken(size / kBits + 1);
  Cuts cuts;
  draw(size, wanted, random, taken, cuts);
  return cuts;
}

RepeatableCuts::RepeatableCuts(std::size_t size, std::uint64_t seed, std::size_t bits)
    : size_(size), seed_(seed), taken_(size / kBits + 1) {
  const std::uint64_t places = std::max<std::size_t>(size, 1) - 1;
  // Up to half of the places, more cuts are drawn from more sets.
  while (rare_ <= places / 2 && bits_of_sets(places, rare_) <= static_cast<double>(bits)) ++rare_;
}

const Cuts* RepeatableCuts::draw(std::size_t index) {
  cuts_.clear();
  if (size_ < 2) return &cuts_;
  SplitMix64 random = source_of(index, seed_);
  const std::uint64_t places = size_ - 1;
  const std::uint64_t wanted = draw_count(places, random);
  if (std::min(wanted, places - wanted) >= rare_) return nullptr;
  split::draw(size_, wanted, random, taken_, cuts_);
  return &cuts_;
}

}  // namespace splitproof::split
