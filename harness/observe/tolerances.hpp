#pragma once

#include "harness/observe/expected.hpp"
#include "harness/observe/normalised_answer.hpp"

namespace splitproof::observe {

/// Applies tolerances if more than one stream is correct. Changes `wanted` to `got` as far as `got` is one of
/// the correct streams, otherwise keeps it. documents.hpp lists what is left open.
void apply_tolerances(const Expected& expected, NormalisedAnswer& wanted, NormalisedAnswer& got);

/// Applies the tolerances between any two sides: open ids, missing or optional counts, and members that no
/// client compares after a failure. A relay must report tokens of thinking.
void apply_tolerances(NormalisedAnswer& wanted, NormalisedAnswer& got, bool relayed);

}  // namespace splitproof::observe
