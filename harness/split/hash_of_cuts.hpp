#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace splitproof::split {

/// Adds a number to a hash of numbers.
inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  hash = (hash ^ (number + 1)) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32U);
}

/// Returns a hash of cuts. Cuts with equal hashes are treated as equal.
inline std::uint64_t hash_of_cuts(std::span<const std::size_t> cuts, std::uint64_t hash = 0) {
  hash = mixed(hash, cuts.size());
  for (const std::size_t cut : cuts) hash = mixed(hash, cut);
  return hash;
}

}  // namespace splitproof::split
