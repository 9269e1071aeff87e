#include "harness/campaign/variations.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "harness/campaign/fault.hpp"
#include "harness/dialect/dealers.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::campaign {
namespace {

using Take = std::function<bool(const Variation&)>;

std::vector<Fault> faults_of(const split::Subject& subject, const Trials& trials) {
  switch (trials.round) {
    case Round::over_http:
      return plan_http_faults(subject.size, subject.event_ends);
    case Round::statuses:
      return plan_statuses();
    case Round::exact:
      break;
  }
  return plan_faults(subject.size, trials.splits.seed);
}

bool for_each_recut(const recording::Recording& recording, const Trials& trials, const Take& take) {
  const split::Dealer* dealer = dialect::dealer_of(recording.protocol);
  if (!trials.recuts || dealer == nullptr) return true;
  for (const std::string& label :
       split::plan_recuts(*dealer, recording.body, *trials.recuts, trials.splits.sweep, trials.splits.seed)) {
    Result<split::Recut> recut = split::recut(*dealer, recording.body, label);
    assert(recut.has_value());  // only what the recording has is planned
    split::Cuts cuts = std::move(recut->arrivals);
    if (!cuts.empty()) cuts.pop_back();  // the end of the body
    std::vector<split::Split> splits{{split::label(split::AsRecorded{}), cuts}};
    if (!cuts.empty()) splits.push_back({split::label(split::Whole{}), {}});
    if (!take({label, {}, {std::move(recut->body), std::move(cuts), recording.end}, std::move(splits)}))
      return false;
  }
  return true;
}

void for_each_fault(const recording::Recording& recording, const split::Subject& subject,
                    const Trials& trials, const Take& take) {
  for (const Fault& fault : faults_of(subject, trials)) {
    Upstream broken{recording.body, subject.arrivals, recording.end};
    [[maybe_unused]] const Result<void> applied = apply(fault, recording.protocol, broken);
    assert(applied.has_value());
    if (broken.status) broken.cuts.clear();
    broken.cuts.erase(std::lower_bound(broken.cuts.begin(), broken.cuts.end(), broken.body.size()),
                      broken.cuts.end());
    std::vector<split::Split> splits{{split::label(split::AsRecorded{}), broken.cuts}};
    if (!take({{}, label(fault), std::move(broken), std::move(splits)})) return;
  }
}

}  // namespace

void for_each_variation(const recording::Recording& recording, const Trials& trials, const Take& take) {
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  const split::Subject subject =
      split::survey(recording.body, arrivals, dialect::format_of(recording.protocol));
  if (trials.round != Round::statuses) {
    std::vector<split::Split> splits = split::plan(subject, trials.splits);
    // Each answer that falls silent costs the testee's whole timeout, and how it was cut before tells nothing new.
    const bool silent = trials.round == Round::over_http && recording.end == recording::End::stall;
    if (silent)
      splits = {{split::label(split::AsRecorded{}), subject.arrivals}, {split::label(split::Whole{}), {}}};
    if (trials.round == Round::over_http)
      splits.push_back({split::label(split::Withheld{}), subject.event_ends});
    if (!take({{}, {}, {recording.body, subject.arrivals, recording.end}, std::move(splits)})) return;
    if (!silent && !for_each_recut(recording, trials, take)) return;
  }
  if (trials.faults) for_each_fault(recording, subject, trials, take);
}

}  // namespace splitproof::campaign
