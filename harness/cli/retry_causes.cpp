#include "harness/cli/retry_causes.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "harness/campaign/case.hpp"
#include "harness/campaign/case_lab.hpp"
#include "harness/campaign/further_turn.hpp"

namespace splitproof::cli {
namespace {

constexpr std::size_t kMostTries = 5;  // the run is the first

bool violates(const campaign::JudgedCase& judged_case, const std::string& rule) {
  return std::any_of(judged_case.all.begin(), judged_case.all.end(), [&](const contract::Judged& judged) {
    return judged.obligation->id == rule && judged.verdict == contract::Verdict::violated;
  });
}

// Runs a case again. Returns true if it violates the rule, or nullopt if the case could not run.
std::optional<bool> shows_again(const cause::Cause& cause, const campaign::Case& one,
                                const testee::Testee& testee, const recording::Recording& recording,
                                const campaign::CampaignSettings& campaign) {
  const std::size_t failures = testee.mishaps().size();
  campaign::Seen seen(testee);
  campaign::CaseLab lab(*campaign.contracts, campaign.profile, testee.traits(), recording, std::ref(seen));
  Result<campaign::JudgedCase> again = tl::unexpected(Error());
  if (one.turn == campaign::Turn::first) {
    again = lab.run(one);
  } else {
    const auto turn = campaign::further_turn(one.turn, lab.judge(), lab.recorded());
    if (!turn) return std::nullopt;
    campaign::Seen seen_then(testee);
    campaign::CaseLab then(*campaign.contracts, campaign.profile, testee.traits(), turn->recording,
                           std::ref(seen_then), turn->answered, turn->streamed);
    again = then.run(one);
  }
  if (!again || again->seen.ending == testee::Ending::unavailable) return std::nullopt;
  // A target that crashes once is tried again at once, and this answer is judged.
  return violates(*again, cause.rule->id) || (cause.is_breakdown() && testee.mishaps().size() > failures);
}

}  // namespace

void retry_causes(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
                  std::chrono::milliseconds time, const std::function<bool()>& stop) {
  const auto end = std::chrono::steady_clock::now() + time;
  const auto is_over = [&] { return stop() || std::chrono::steady_clock::now() >= end; };
  for (cause::Cause& cause : causes) {
    const auto testee = std::find_if(campaign.testees.begin(), campaign.testees.end(),
                                     [&](const auto* one) { return one->name() == cause.target; });
    const auto one = campaign::parse_case(cause.shown.case_id);
    // The case of an unattributed breakdown may be of another recording than the finding.
    const auto recording =
        std::find_if(campaign.recordings.begin(), campaign.recordings.end(),
                     [&](const auto* known) { return one && known->id == one->recording; });
    if (recording == campaign.recordings.end()) continue;
    if (testee == campaign.testees.end() || !(*testee)->traits().outside || !one->act.empty() ||
        cause.rule->id == results::kHung || (!cause.shown.alone && !cause.is_breakdown()))
      continue;
    results::Tries tries{1, 1};
    do {
      if (is_over()) break;
      const std::optional<bool> again = shows_again(cause, *one, **testee, **recording, campaign);
      if (!again) break;
      ++tries.of;
      tries.violated += *again ? 1 : 0;
    } while (tries.violated < tries.of && tries.of < kMostTries);
    if (tries.of > 1) cause.set_tries(tries);
  }
}

}  // namespace splitproof::cli
