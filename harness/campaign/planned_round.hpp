#pragma once

#include <cstddef>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/campaign/variations.hpp"
#include "harness/shard/ranges.hpp"

namespace splitproof::campaign {

/// One recording with one testee, in one round, before it runs.
struct PlannedRound {
  std::size_t testee = 0;  ///< Index in the settings.
  const recording::Recording* recording = nullptr;
  Extent extent;
  RoundPlace place;
  shard::CaseRange range = {};  ///< The cases to run; it may be empty.

  std::size_t planned() const { return range.end - range.begin; }
};

/// True if the testee claims all features of a recording and does not refuse its request. In a recording about
/// a request, the refusal itself is judged.
bool claims(const testee::Testee& testee, const recording::Recording& recording,
            const contract::Profile& profile);

/// Sets the place and the range of each round. The range has the cases of this shard that no earlier run
/// finished. The rounds of a recording with a testee must be in their order. Returns the results of earlier
/// runs, joined for each recording and testee.
std::vector<results::RecordingResult> place(const std::vector<PlannedRound*>& rounds,
                                            const CampaignSettings& settings);

}  // namespace splitproof::campaign
