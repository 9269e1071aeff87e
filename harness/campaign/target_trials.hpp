#pragma once

#include <functional>
#include <map>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/planned_round.hpp"
#include "harness/results/result.hpp"

namespace splitproof::campaign {

/// Verdicts on testees that need several streams or connections, so that no case shows them.
struct TargetTrials {
  std::map<const PlannedRound*, std::vector<results::Row>> rows;  ///< By the round whose result gets them.
  std::vector<results::RecordingResult> acts;                     ///< Results of the acts that `only` names.
};

/// Tries the connections and the isolation of each testee, with the first suitable recording whose answer arrives alone
/// without an error. Only the shard with the first case of the first suitable recording runs a trial. The rounds must outlive the result.
TargetTrials run_trials(const CampaignSettings& settings, const std::vector<const PlannedRound*>& rounds,
                        const std::function<bool()>& stop);

}  // namespace splitproof::campaign
