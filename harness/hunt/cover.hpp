#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "harness/hunt/probe.hpp"

namespace splitproof::hunt {

/// Returns the places of a few candidates that together have every feature. Each step takes the candidate with the most
/// missing features, and the first of equal ones. The result has at most ln(n) + 1 times as many candidates as the smallest
/// one (Chvatal, A Greedy Heuristic for the Set-Covering Problem, 1979). A candidate's features must ascend.
std::vector<std::size_t> greedy_cover(const std::vector<std::vector<Feature>>& candidates);

}  // namespace splitproof::hunt
