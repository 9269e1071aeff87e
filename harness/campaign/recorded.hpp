#pragma once

#include "harness/contract/contracts.hpp"
#include "harness/contract/obligation.hpp"
#include "harness/recording/recording.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"

namespace splitproof::campaign {

/// Returns the properties of a recording for results, without its body.
results::Recorded recorded_of(const recording::Recording& recording);

/// Stores the recorded body in a result with a violation, for display.
void keep_shown_body(results::RecordingResult& result, const recording::Recording& recording);

/// Returns the properties of a rule for results.
results::Rule rule_of(const contract::Obligation& obligation);

/// Returns all rules of a campaign: those of the contracts, and the harness's own.
results::Rules rules_of(const contract::Contracts& contracts);

}  // namespace splitproof::campaign
