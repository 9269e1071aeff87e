#include "harness/cli/accepting_knobs.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "harness/campaign/case_lab.hpp"
#include "harness/contract/contracts.hpp"

namespace splitproof::cli {
namespace {

using contract::Profile;

/// Returns the ids of the rules that a case violates under a profile, or nullopt if unknown.
using ViolatedUnder = std::function<std::optional<std::set<std::string>>(const Profile& profile)>;

std::optional<std::vector<std::string>> accepting(const std::string& rule, const std::set<std::string>& knobs,
                                                  const ViolatedUnder& violated,
                                                  const campaign::CampaignSettings& campaign) {
  const auto before = violated(campaign.profile);
  if (!before || !before->contains(rule)) return std::nullopt;
  std::vector<std::string> found;
  for (const std::string& knob : knobs) {
    const auto values = campaign.profile.values.find(knob);
    if (values == campaign.profile.values.end()) return std::nullopt;
    for (const std::string& value : values->second) {
      Profile other = campaign.profile;
      std::string& set = other.knobs[knob];
      if (std::exchange(set, value) == value) continue;
      const auto after = violated(other);
      if (after && !after->contains(rule) &&
          std::includes(before->begin(), before->end(), after->begin(), after->end()))
        found.push_back(knob + ": " + value);
    }
  }
  return found;
}

}  // namespace

void find_accepting_knobs(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
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
    campaign::Seen seen(**testee);  // it is run once, and judged under several profiles
    const ViolatedUnder violated = [&](const Profile& profile) -> std::optional<std::set<std::string>> {
      campaign::CaseLab lab(*campaign.contracts, profile, (*testee)->traits(),
                            campaign.recording(cause.in->recording), std::ref(seen));
      const auto judged_case = lab.run(*one);
      if (!judged_case || judged_case->seen.ending == testee::Ending::unavailable) return std::nullopt;
      std::set<std::string> ids;
      for (const contract::Judged& judged : judged_case->all)
        if (judged.verdict == contract::Verdict::violated &&
            judged.obligation->level == contract::Level::must)
          ids.insert(judged.obligation->id);
      return ids;
    };
    cause.accepted_by = accepting(cause.rule->id, cause.rule->knobs, violated, campaign);
  }
}

}  // namespace splitproof::cli
