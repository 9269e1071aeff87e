#pragma once

#include <string>
#include <vector>

#include "harness/results/growth.hpp"

namespace splitproof::report {

/// What is to be said of how a target's cost grows, a line each: first what grows with the square, such as "advice: tools:
/// 512, 1024, 2048 cost 0.05, 0.20, 0.80 s of processor time, about n^2.0", then what was tried.
std::vector<std::string> growth_lines(const results::Growth& growth);

}  // namespace splitproof::report
