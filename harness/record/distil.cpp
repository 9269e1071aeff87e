#include "harness/record/distil.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace splitproof::record {
namespace {

/// Features as numbers, for speed.
struct NumberedFeatures {
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> of;  ///< By candidate, ascending.
};

NumberedFeatures numbered(const std::vector<DistilCandidate>& candidates) {
  NumberedFeatures all;
  std::map<std::string, std::size_t> numbers;
  for (const DistilCandidate& candidate : candidates) {
    auto& own = all.of.emplace_back();
    for (const std::string& feature : candidate.features) {
      const auto [place, is_new] = numbers.emplace(feature, all.names.size());
      if (is_new) all.names.push_back(feature);
      own.push_back(place->second);
    }
  }
  return all;
}

std::size_t count_new(const std::vector<std::size_t>& features, const std::vector<std::size_t>& covered) {
  return static_cast<std::size_t>(std::count_if(features.begin(), features.end(),
                                                [&](std::size_t feature) { return covered[feature] == 0; }));
}

// Returns the candidates that a greedy search takes. A gain only shrinks, so an old gain is an upper bound: most
// candidates are not counted again.
std::vector<std::size_t> greedy_cover(const std::vector<DistilCandidate>& candidates,
                                      const NumberedFeatures& all, std::vector<std::size_t>& covered) {
  std::vector<std::size_t> by_path(candidates.size());
  for (std::size_t i = 0; i < by_path.size(); ++i) by_path[i] = i;
  std::sort(by_path.begin(), by_path.end(),
            [&](std::size_t a, std::size_t b) { return candidates[a].path > candidates[b].path; });
  std::vector<std::size_t> gains(candidates.size());
  for (std::size_t i = 0; i < gains.size(); ++i) gains[i] = all.of[i].size();
  std::vector<std::size_t> taken;
  while (true) {
    std::optional<std::size_t> best;
    for (const std::size_t i : by_path) {
      if (gains[i] == 0 || (best && gains[i] < gains[*best])) continue;
      gains[i] = count_new(all.of[i], covered);
      if (gains[i] == 0) continue;
      const bool better = !best || std::tuple(gains[i], ~candidates[i].bytes) >=
                                       std::tuple(gains[*best], ~candidates[*best].bytes);
      if (better) best = i;
    }
    if (!best) return taken;
    for (const std::size_t feature : all.of[*best]) ++covered[feature];
    taken.push_back(*best);
  }
}

}  // namespace

std::vector<KeptRecording> distil(const std::vector<DistilCandidate>& candidates) {
  const NumberedFeatures all = numbered(candidates);
  std::vector<std::size_t> covered(
      all.names.size());  // by feature, the number of taken candidates that have it
  std::vector<std::size_t> taken = greedy_cover(candidates, all, covered);
  // An early choice may have become superfluous.
  std::erase_if(taken, [&](std::size_t i) {
    const auto& own = all.of[i];
    if (!std::all_of(own.begin(), own.end(), [&](std::size_t feature) { return covered[feature] > 1; }))
      return false;
    for (const std::size_t feature : own) --covered[feature];
    return true;
  });
  std::vector<KeptRecording> kept;
  std::vector<std::size_t> seen(all.names.size());
  for (const std::size_t i : taken) {
    KeptRecording& one = kept.emplace_back(KeptRecording{i, {}});
    for (const std::size_t feature : all.of[i])
      if (seen[feature]++ == 0) one.adds.push_back(all.names[feature]);
  }
  return kept;
}

}  // namespace splitproof::record
