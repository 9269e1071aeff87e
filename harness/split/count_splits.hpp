#pragma once

#include <cstddef>
#include <vector>

#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"

namespace splitproof::split {

/// Returns the number of generators whose cuts differ from those of all generators before them and of all `earlier`
/// ones. `Withheld` always counts, because it differs from a cut. The subject has every seam that a generator names.
std::size_t count_distinct(const std::vector<Generator>& splits, const Subject& subject,
                           const std::vector<Generator>& earlier = {});

/// Returns the number of splits that the random ones and the sweep add to `plan(subject, settings)`. Splits with equal
/// cuts count once. Makes no generators, and draws only cuts that another split may repeat. So a million random splits
/// take a tenth of a second, and a sweep takes no time.
std::size_t count_random_and_sweep(const Subject& subject, const PlanSettings& settings);

}  // namespace splitproof::split
