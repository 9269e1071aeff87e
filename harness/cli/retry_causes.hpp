#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"

namespace splitproof::cli {

/// Runs the case of each cause once more, if its target runs outside of this process. If the violation is not
/// there, tries the case a few more times. Stores the counts in the causes: a violation may come and go.
///
/// A breakdown without a case is tried with the case that met it first. Skipped are hangs, which were tried
/// alone already, and causes that only a whole run or an act shows. Starts no case after `time`, or after
/// `stop` returns true. The targets of the campaign must still run.
void retry_causes(std::vector<cause::Cause>& causes, const campaign::CampaignSettings& campaign,
                  std::chrono::milliseconds time, const std::function<bool()>& stop);

}  // namespace splitproof::cli
