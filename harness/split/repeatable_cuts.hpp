#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/split/split.hpp"

namespace splitproof::split {

/// Two draws among 2^80 sets are never equal in practice.
inline constexpr std::size_t kRareBits = 80;

/// Returns `random_cuts`, or nullopt if they are drawn from more than 2^bits sets of as many cuts. Then it draws none.
std::optional<Cuts> repeatable_cuts(std::size_t size, std::size_t index, std::uint64_t seed,
                                    std::size_t bits = kRareBits);

}  // namespace splitproof::split
