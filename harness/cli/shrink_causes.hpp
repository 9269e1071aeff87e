#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"

namespace splitproof::cli {

/// Time limit of shrink_causes in a run.
inline constexpr std::chrono::milliseconds kShrinkTime{30'000};

/// Searches for the smallest case of each cause and stores it there. The targets of the campaign must still
/// run.
///
/// Takes `time`, and the time of one last draft. Each cause gets an equal part of the remaining time, at
/// least two seconds. A result is stored if it is smaller than the case. After `stop` returns true, further
/// causes are skipped. Also skipped are causes that no single case shows, and causes that compare cases or
/// concern a request. So are causes of a target that took half a second a case in `run`.
void shrink_causes(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
                   const campaign::Results& run, std::chrono::milliseconds time,
                   const std::function<bool()>& stop);

}  // namespace splitproof::cli
