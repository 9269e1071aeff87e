#include "harness/split/plan.hpp"

#include <algorithm>
#include <array>

namespace splitproof::split {

std::set<std::size_t> lone_picks(std::size_t count, SplitMix64& random) {
  std::set<std::size_t> picks = {0, count - 1};
  while (picks.size() < std::min(kLoneSeamsPerKind, count)) picks.insert(random.below(count));
  return picks;
}

std::vector<Generator> plan(const Subject& subject, const PlanSettings& settings) {
  std::vector<Generator> planned = {AsRecorded{}, Whole{}};
  if (subject.size <= kMostSurveyed) planned.emplace_back(ByteByByte{});
  planned.emplace_back(AtEvents{});
  const std::size_t tail = std::min(kTailEnds, subject.event_ends.size());
  for (std::size_t ends = 0; ends < std::size_t{1} << tail; ++ends) planned.emplace_back(AtTail{ends});

  std::array<std::vector<std::size_t>, kSeamKinds> indices;  // of seams, by kind
  for (std::size_t i = 0; i < subject.seams.size(); ++i) {
    indices[static_cast<std::size_t>(subject.seams[i].kind)].push_back(i);
  }
  SplitMix64 random(settings.seed);
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    if (indices[kind].empty()) continue;
    for (const std::size_t pick : lone_picks(indices[kind].size(), random))
      planned.emplace_back(AtSeam{indices[kind][pick]});
    planned.emplace_back(AtSeamsOf{static_cast<SeamKind>(kind)});
  }

  for (std::size_t i = 0; i < settings.random; ++i) planned.emplace_back(AtRandom{i, settings.seed});
  if (settings.sweep) {
    for (std::size_t offset = 1; offset < subject.size; ++offset) planned.emplace_back(AtCuts{{offset}});
  }
  return planned;
}

}  // namespace splitproof::split
