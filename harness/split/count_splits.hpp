#pragma once

#include <cstddef>
#include <vector>

#include "harness/split/generator.hpp"

namespace splitproof::split {

/// Returns the number of generators whose cuts differ from those of all generators before them and of all `earlier`
/// ones. `Withheld` always counts, because it differs from a cut. The subject has every seam that a generator names.
///
/// Mostly draws no cuts of random splits, so a million of them take a tenth of a second.
std::size_t count_distinct(const std::vector<Generator>& splits, const Subject& subject,
                           const std::vector<Generator>& earlier = {});

}  // namespace splitproof::split
