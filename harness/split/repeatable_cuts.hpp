#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/split/split.hpp"

namespace splitproof::split {

/// Two draws among 2^80 sets are never equal in practice.
inline constexpr std::size_t kRareBits = 80;

/// Draws `random_cuts` of one body that another draw may repeat. Not thread-safe.
class RepeatableCuts {
 public:
  /// Cuts may be repeated if they are drawn from at most 2^bits sets of as many cuts.
  RepeatableCuts(std::size_t size, std::uint64_t seed, std::size_t bits = kRareBits);

  /// Returns the cuts, or nullptr if they are never repeated in practice. Then it draws none. The cuts are
  /// valid until the next call.
  const Cuts* draw(std::size_t index);

  std::uint64_t seed() const { return seed_; }

 private:
  const std::size_t size_;
  const std::uint64_t seed_;
  std::uint64_t rare_ = 1;            // the fewest cuts, or places without a cut, that are never repeated
  std::vector<std::uint64_t> taken_;  // all zero between two draws
  Cuts cuts_;
};

}  // namespace splitproof::split
