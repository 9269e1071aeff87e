#pragma once

#include <functional>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"

namespace splitproof::cli {

/// Looks for the smallest case of each cause in turn, and notes it there. The targets of the campaign must still run. It
/// ends after kShrinkTime, in the middle of a cause if need be, or once `stop` says true: the causes that are left have
/// none. Nor has one that no case alone shows, or that compares cases.
void shrink_causes(std::vector<cause::Cause>& causes, const campaign::Settings& campaign,
                   const std::function<bool()>& stop);

}  // namespace splitproof::cli
