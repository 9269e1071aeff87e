#include "harness/cli/accepting_knobs.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "harness/campaign/baselines.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/contracts.hpp"

namespace splitproof::cli {
namespace {

using contract::Profile;
using results::Upstream;

/// One case of a target, run when it is first judged and then judged again from what was seen.
class SeenCase {
 public:
  SeenCase(const testee::Testee& testee, const recording::Recording& recording, campaign::Case one)
      : testee_(testee), recording_(recording), one_(std::move(one)) {}

  /// Ids of the rules that it violates under a profile; none where that cannot be told.
  std::optional<std::set<std::string>> violated(const contract::Contracts& contracts,
                                                const Profile& profile) {
    campaign::Case as_arrived = one_;
    as_arrived.split = campaign::Case().split;
    const auto upstream = campaign::upstream_of(one_, recording_);
    const auto arrived = campaign::upstream_of(as_arrived, recording_);
    if (!upstream || !arrived) return std::nullopt;
    const campaign::Judge judge(contracts, profile, testee::traits_of(testee_), recording_);
    const campaign::UpstreamReading reading = judge.read(*arrived, one_.fault.has_value());
    const campaign::Baselines baselines(judge, [this](const Upstream& other) {
      return seen(other, campaign::exchange_of(other, recording_));
    });
    const campaign::Baseline baseline = baselines.of(reading, *arrived);
    const testee::Observation observation = seen(*upstream, judge.exchange(reading, *upstream));
    if (observation.ending == testee::Ending::unavailable) return std::nullopt;
    std::set<std::string> ids;
    for (const contract::Judged& judged : judge.judge(reading, baseline, *upstream, observation))
      if (judged.verdict == contract::Verdict::violated && judged.obligation->level == contract::Level::must)
        ids.insert(judged.obligation->id);
    return ids;
  }

 private:
  testee::Observation seen(const Upstream& upstream, const testee::Exchange& exchange) {
    for (const auto& [asked, known] : known_)
      if (asked == upstream) return known;
    known_.emplace_back(upstream, testee_.observe(exchange));
    return known_.back().second;
  }

  const testee::Testee& testee_;
  const recording::Recording& recording_;
  const campaign::Case one_;
  std::vector<std::pair<Upstream, testee::Observation>> known_;
};

std::optional<std::vector<std::string>> accepting(const std::string& rule, const std::set<std::string>& knobs,
                                                  SeenCase& seen, const campaign::Settings& campaign) {
  const auto before = seen.violated(*campaign.contracts, campaign.profile);
  if (!before || !before->contains(rule)) return std::nullopt;
  std::vector<std::string> found;
  for (const std::string& knob : knobs) {
    const auto values = campaign.profile.values.find(knob);
    if (values == campaign.profile.values.end()) return std::nullopt;
    for (const std::string& value : values->second) {
      Profile other = campaign.profile;
      std::string& set = other.knobs[knob];
      if (std::exchange(set, value) == value) continue;
      const auto after = seen.violated(*campaign.contracts, other);
      if (after && !after->contains(rule) &&
          std::includes(before->begin(), before->end(), after->begin(), after->end()))
        found.push_back(knob + ": " + value);
    }
  }
  return found;
}

}  // namespace

void find_accepting_knobs(std::vector<cause::Cause>& causes, const campaign::Settings& campaign,
                          std::chrono::milliseconds time, const std::function<bool()>& stop) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (cause::Cause& cause : causes) {
    const auto testee = std::find_if(campaign.testees.begin(), campaign.testees.end(),
                                     [&](const auto* one) { return one->name() == cause.target; });
    auto one = campaign::parse_case(cause.shown.case_id);
    if (cause.rule->knobs.empty() || cause.level != contract::Level::must || !cause.shown.alone ||
        testee == campaign.testees.end() || !one || one->turn != campaign::Turn::first)
      continue;
    if (stop() || std::chrono::steady_clock::now() >= end) return;
    SeenCase seen(**testee, campaign.recording(cause.in->recording), *std::move(one));
    cause.accepted_by = accepting(cause.rule->id, cause.rule->knobs, seen, campaign);
  }
}

}  // namespace splitproof::cli
