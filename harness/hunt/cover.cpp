#include "harness/hunt/cover.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace splitproof::hunt {

std::vector<std::size_t> greedy_cover(const std::vector<std::vector<Feature>>& candidates) {
  std::set<Feature> missing;
  for (const std::vector<Feature>& features : candidates) missing.insert(features.begin(), features.end());
  const auto gain_of = [&](std::size_t candidate) {
    return static_cast<std::size_t>(
        std::count_if(candidates[candidate].begin(), candidates[candidate].end(),
                      [&](Feature feature) { return missing.contains(feature); }));
  };
  // Gains only shrink. So a candidate whose gain is still the same is the best one.
  using Entry = std::pair<std::size_t, std::size_t>;  // gain, and how early the candidate is
  std::priority_queue<Entry> queue;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    queue.emplace(candidates[i].size(), candidates.size() - i);
  std::vector<std::size_t> chosen;
  while (!missing.empty() && !queue.empty()) {
    const auto [gain, early] = queue.top();
    queue.pop();
    const std::size_t candidate = candidates.size() - early;
    const std::size_t now = gain_of(candidate);
    if (now < gain) {
      queue.emplace(now, early);
      continue;
    }
    if (now == 0) break;
    chosen.push_back(candidate);
    for (const Feature feature : candidates[candidate]) missing.erase(feature);
  }
  return chosen;
}

}  // namespace splitproof::hunt
