#include "harness/campaign/variations.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "harness/campaign/fault.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::campaign {

void for_each_variation(const recording::Recording& recording, const Trials& trials,
                        const std::function<bool(const Variation&)>& take) {
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  const split::Subject subject = split::survey(recording.body, arrivals);
  const std::uint64_t seed = trials.splits.seed;
  const std::string recorded = split::label(split::AsRecorded{});
  if (!take({{}, {}, {recording.body, subject.arrivals, recording.end}, split::plan(subject, trials.splits)}))
    return;

  std::vector<std::string> recuts;
  if (trials.recuts) recuts = split::plan_recuts(recording.body, *trials.recuts, trials.splits.sweep, seed);
  for (const std::string& label : recuts) {
    Result<split::Recut> recut = split::recut(recording.body, label);
    assert(recut.has_value());  // only what the recording has is planned
    split::Cuts cuts = std::move(recut->arrivals);
    if (!cuts.empty()) cuts.pop_back();  // the end of the body
    std::vector<split::Split> splits{{recorded, cuts}};
    if (!cuts.empty()) splits.push_back({split::label(split::Whole{}), {}});
    if (!take({label, {}, {std::move(recut->body), std::move(cuts), recording.end}, std::move(splits)}))
      return;
  }

  if (!trials.faults) return;
  for (const Fault& fault : plan_faults(recording.body.size(), seed)) {
    Upstream broken{recording.body, subject.arrivals, recording.end};
    [[maybe_unused]] const Result<void> applied = apply(fault, broken.body, broken.end);
    assert(applied.has_value());
    broken.cuts.erase(std::lower_bound(broken.cuts.begin(), broken.cuts.end(), broken.body.size()),
                      broken.cuts.end());
    std::vector<split::Split> splits{{recorded, broken.cuts}};
    if (!take({{}, label(fault), std::move(broken), std::move(splits)})) return;
  }
}

}  // namespace splitproof::campaign
