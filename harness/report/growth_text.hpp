#pragma once

#include <string>
#include <vector>

#include "harness/results/growth.hpp"

namespace splitproof::report {

/// Returns lines about a target's growing costs. First come quadratic ones, such as "advice: tools: 512,
/// 1024, 2048 cost 0.05, 0.20, 0.80 s of processor time, about n^2.0". Then come the tested sizes.
std::vector<std::string> growth_lines(const results::Growth& growth);

}  // namespace splitproof::report
