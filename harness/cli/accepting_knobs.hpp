#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"

namespace splitproof::cli {

/// Looks, for each cause whose rule depends on knobs, with which value of one of them the answer that is shown would be
/// accepted: it violates the rule no longer then, and no other `must` that it met before. Each case is run once more, and
/// judged under each value. Looks no longer than `time`, nor once `stop` says true.
void find_accepting_knobs(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
                          std::chrono::milliseconds time, const std::function<bool()>& stop);

}  // namespace splitproof::cli
