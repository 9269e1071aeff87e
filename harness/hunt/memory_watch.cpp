#include "harness/hunt/memory_watch.hpp"

#include <algorithm>
#include <array>

namespace splitproof::hunt {

void MemoryWatch::note(std::size_t cases, std::size_t resident_bytes) {
  samples_.push_back({cases, resident_bytes});
}

std::optional<MemoryGrowth> MemoryWatch::growth() const {
  if (samples_.size() < kLeastSamples) return std::nullopt;
  constexpr std::size_t kQuarters = 4;
  const std::size_t half = samples_.size() / 2;
  const std::size_t quarter = half / kQuarters;
  std::array<Sample, kQuarters> smallest{};
  for (std::size_t i = 0; i < kQuarters; ++i) {
    const auto begin = samples_.end() - static_cast<std::ptrdiff_t>((kQuarters - i) * quarter);
    smallest[i] = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(quarter),
                                    [](const Sample& a, const Sample& b) { return a.bytes < b.bytes; });
    if (i > 0 && smallest[i].bytes <= smallest[i - 1].bytes) return std::nullopt;
  }
  const std::size_t from = smallest.front().bytes;
  const std::size_t to = smallest.back().bytes;
  if (to - from < kLeastGrowth || to - from < from / 4) return std::nullopt;
  return MemoryGrowth{from, to, smallest.back().cases - smallest.front().cases};
}

}  // namespace splitproof::hunt
