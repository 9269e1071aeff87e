#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace splitproof::campaign {

/// Returns 0, 1, 2 and so on.
inline std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

/// Returns all numbers so that each prefix of the list is spread evenly, by multiples of the golden ratio on a
/// circle. Neighbours in a corpus are similar, and requests come after all answers.
inline std::vector<std::size_t> spread(std::size_t count) {
  constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;  // on a circle of 2^64
  std::vector<std::size_t> numbers = in_order(count);
  std::sort(numbers.begin(), numbers.end(),
            [](std::size_t a, std::size_t b) { return a * kGoldenRatio < b * kGoldenRatio; });
  return numbers;
}

}  // namespace splitproof::campaign
