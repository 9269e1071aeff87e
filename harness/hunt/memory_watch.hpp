#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace splitproof::hunt {

/// Growth of a target's memory during a search.
struct MemoryGrowth {
  std::size_t from = 0;   ///< Resident bytes after the first half of the cases.
  std::size_t to = 0;     ///< Resident bytes at the end.
  std::size_t cases = 0;  ///< Number of cases between both.
};

/// Tells a leak from a target that only warms up, or whose memory goes up and down. It compares the four quarters of the second
/// half of a search. The smallest measurement of each quarter must exceed the smallest one of the quarter before. In all, the
/// growth must be kLeastGrowth bytes and a quarter of the memory.
class MemoryWatch {
 public:
  /// Adds a measurement. `cases` ascends.
  void note(std::size_t cases, std::size_t resident_bytes);

  /// nullopt: the memory does not grow steadily, or there are too few measurements.
  std::optional<MemoryGrowth> growth() const;

 private:
  struct Sample {
    std::size_t cases;
    std::size_t bytes;
  };
  std::vector<Sample> samples_;
};

/// Smaller growth is ordinary. In bytes.
inline constexpr std::size_t kLeastGrowth = std::size_t{16} << 20;

/// Fewer measurements decide nothing.
inline constexpr std::size_t kLeastSamples = 32;

}  // namespace splitproof::hunt
