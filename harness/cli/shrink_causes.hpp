#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"

namespace splitproof::cli {

/// The most that shrink_causes should take of a run.
inline constexpr std::chrono::milliseconds kShrinkTime{30'000};

/// Looks for the smallest case of each cause in turn, and notes it there. The targets of the campaign must still run.
///
/// It takes `time` and what one last draft takes: each cause gets an equal part of what those before it left, and two seconds
/// at least, and what was found in that part is noted, if it is less than the case. Once `stop` says true, those that are
/// left have none. Nor has one that no case alone shows, or that compares cases or is told of a request, or one of a target
/// that took half a second a case in `run`.
void shrink_causes(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
                   const campaign::Results& run, std::chrono::milliseconds time,
                   const std::function<bool()>& stop);

}  // namespace splitproof::cli
