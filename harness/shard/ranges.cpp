#include "harness/shard/ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "harness/fnv1a.hpp"

namespace splitproof::shard {
namespace {

// More bundles move fewer cases when a recording is added, but cut more recordings. Each cut costs a baseline,
// and a line for each rule in the reports. Many shards therefore share one bundle.
constexpr std::size_t kBundlesOfShard = 2;
constexpr std::size_t kMostCuts = 6144;
constexpr std::size_t kMostShardsOfBundles = 64;

// Short ids differ only in a few bits of their hash, so these are spread over all bits.
std::uint64_t hash_of(const std::string& id) {
  std::uint64_t hash = fnv1a(id);
  hash ^= hash >> 33U;
  hash *= 0xff51afd7ed558ccd;
  return hash ^ (hash >> 33U);
}

struct Placed {
  std::size_t lot;
  std::uint64_t bundle;
  bool alone;

  auto key() const { return std::pair(alone, bundle); }
};

// Returns the lots, bundle by bundle, and within a bundle by id.
std::vector<Placed> place(const std::vector<Lot>& lots, std::size_t count) {
  const std::size_t total = std::accumulate(lots.begin(), lots.end(), std::size_t{0},
                                            [](std::size_t sum, const Lot& lot) { return sum + lot.cases; });
  const bool one_bundle = count > kMostShardsOfBundles;
  const std::size_t bundles =
      one_bundle ? 1 : std::max<std::size_t>(1, std::min(kBundlesOfShard * count, kMostCuts / count));
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < lots.size(); ++i) {
    const std::uint64_t hash = hash_of(lots[i].id);
    const bool alone = !one_bundle && lots[i].cases > total / (kBundlesOfShard * count);
    placed.push_back({i, alone ? hash : hash % bundles, alone});
  }
  std::sort(placed.begin(), placed.end(), [&](const Placed& a, const Placed& b) {
    return a.key() != b.key() ? a.key() < b.key() : lots[a.lot].id < lots[b.lot].id;
  });
  return placed;
}

}  // namespace

std::vector<CaseRange> ranges_of_shard(const std::vector<Lot>& lots, std::size_t number, std::size_t count,
                                       Division division) {
  std::vector<CaseRange> ranges(lots.size());
  const std::vector<Placed> placed = place(lots, count);
  for (std::size_t first = 0; first < placed.size();) {
    std::size_t last = first;
    std::size_t cases = 0;
    for (; last < placed.size() && placed[last].key() == placed[first].key(); ++last)
      cases += lots[placed[last].lot].cases;
    // The first part of a bundle belongs to any shard. Otherwise the first shards would get all rests.
    const std::size_t part = (number + placed[first].bundle % count) % count;
    const CaseRange row{part * cases / count, (part + 1) * cases / count};
    for (std::size_t begin = 0; first < last; ++first) {
      const std::size_t end = begin + lots[placed[first].lot].cases;
      const std::size_t middle = begin + (end - begin) / 2;
      CaseRange& range = ranges[placed[first].lot];
      if (division == Division::by_case) {
        range = {std::clamp(row.begin, begin, end) - begin, std::clamp(row.end, begin, end) - begin};
      } else if (row.begin <= middle && middle < row.end) {
        range = {0, end - begin};
      }
      begin = end;
    }
  }
  return ranges;
}

}  // namespace splitproof::shard
