#pragma once

#include "harness/observe/expected.hpp"
#include "harness/observe/normalised_answer.hpp"

namespace splitproof::observe {

/// Gives way where more than one stream tells the answer: what is wanted becomes what came, as far as that is one of
/// those streams; else it stays. See documents.hpp for what is left open.
void apply_tolerances(const Expected& expected, NormalisedAnswer& wanted, NormalisedAnswer& got);

/// The same for what any two sides may differ in: ids that are left open, counts that were never said or that need not be
/// told apart, and what no client compares of an answer that failed. A relay has to tell tokens of thinking apart.
void apply_tolerances(NormalisedAnswer& wanted, NormalisedAnswer& got, bool relayed);

}  // namespace splitproof::observe
