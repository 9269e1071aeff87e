#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"

namespace splitproof::cli {

/// Finds knob values that would accept the shown answer, for each cause whose rule depends on knobs. With
/// such a value the answer no longer violates the rule, and no further `must`. Each case is run once more,
/// and judged under each value. Ends after `time`, or when `stop` returns true.
void find_accepting_knobs(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
                          std::chrono::milliseconds time, const std::function<bool()>& stop);

}  // namespace splitproof::cli
