#include "harness/shrink/candidate.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::shrink {

Candidate without(const Candidate& draft, std::vector<PieceRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const PieceRange& a, const PieceRange& b) { return a.begin < b.begin; });
  Candidate left;
  split::Cuts moved;
  std::size_t at = 0;  // all earlier bytes that stay are copied
  auto cut = draft.cuts.begin();
  const auto keep_until = [&](std::size_t end) {
    for (; cut != draft.cuts.end() && *cut <= end; ++cut)
      moved.push_back(left.body.size() + (std::max(*cut, at) - at));
    left.body.append(draft.body, at, end - at);
  };
  for (const PieceRange& range : ranges) {
    if (range.end <= at) continue;
    keep_until(std::max(range.begin, at));
    at = range.end;
  }
  keep_until(draft.body.size());
  for (const std::size_t place : moved) {
    const bool cuts = place > 0 && place < left.body.size();
    if (cuts && (left.cuts.empty() || left.cuts.back() < place)) left.cuts.push_back(place);
  }
  return left;
}

}  // namespace splitproof::shrink
