#pragma once

#include "harness/contract/contracts.hpp"
#include "harness/contract/obligation.hpp"
#include "harness/recording/recording.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"

namespace splitproof::campaign {

/// What results keep of a recording, without its body.
results::Recorded recorded_of(const recording::Recording& recording);

/// Keeps the recorded body of a result in which something is violated, so that it can be shown.
void keep_shown_body(results::RecordingResult& result, const recording::Recording& recording);

/// What results keep of a rule.
results::Rule rule_of(const contract::Obligation& obligation);

/// Of all that a campaign judges by: those of the contracts, and the harness's own.
results::Rules rules_of(const contract::Contracts& contracts);

}  // namespace splitproof::campaign
