#include "harness/split/plan.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <utility>

#include "harness/split/random_cuts.hpp"

namespace splitproof::split {
namespace {

/// A growing plan that refuses cuts it already has.
class Planner {
 public:
  explicit Planner(const Subject& subject) : subject_(subject) {}
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  void add(const Generator& generator) {
    Result<Cuts> cuts = generate(generator, subject_);
    assert(cuts.has_value());  // only what the subject has is added
    splits_.push_back({label(generator), *std::move(cuts)});
    if (!known_.insert(splits_.size() - 1).second) splits_.pop_back();
  }

  std::vector<Split> take() { return std::move(splits_); }

 private:
  struct ByCuts {
    const std::vector<Split>* splits;
    bool operator()(std::size_t a, std::size_t b) const { return (*splits)[a].cuts < (*splits)[b].cuts; }
  };

  const Subject& subject_;
  std::vector<Split> splits_;
  std::set<std::size_t, ByCuts> known_{ByCuts{&splits_}};  ///< indices of splits_
};

/// Of `count` things, which to take alone: the first, then seeded ones in increasing order, then the last.
std::set<std::size_t> lone_picks(std::size_t count, SplitMix64& random) {
  std::set<std::size_t> picks = {0, count - 1};
  while (picks.size() < std::min(kLoneSeamsPerKind, count)) picks.insert(random.below(count));
  return picks;
}

}  // namespace

std::vector<Split> plan(const Subject& subject, const Settings& settings) {
  Planner planner(subject);
  planner.add(AsRecorded{});
  planner.add(Whole{});
  planner.add(ByteByByte{});
  planner.add(AtEvents{});
  const std::size_t tail = std::min(kTailEnds, subject.event_ends.size());
  for (std::size_t ends = 0; ends < std::size_t{1} << tail; ++ends) planner.add(AtTail{ends});

  std::array<std::vector<std::size_t>, kSeamKinds> indices;  // of seams, by kind
  for (std::size_t i = 0; i < subject.seams.size(); ++i) {
    indices[static_cast<std::size_t>(subject.seams[i].kind)].push_back(i);
  }
  SplitMix64 random(settings.seed);
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    if (indices[kind].empty()) continue;
    for (const std::size_t pick : lone_picks(indices[kind].size(), random))
      planner.add(AtSeam{indices[kind][pick]});
    planner.add(AtSeamsOf{static_cast<SeamKind>(kind)});
  }

  for (std::size_t i = 0; i < settings.random; ++i) planner.add(AtRandom{i, settings.seed});
  if (settings.sweep) {
    for (std::size_t offset = 1; offset < subject.size; ++offset) planner.add(AtCuts{{offset}});
  }
  return planner.take();
}

}  // namespace splitproof::split
