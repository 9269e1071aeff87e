#include "harness/results/growth.hpp"

#include <cmath>

namespace splitproof::results {

double SquareCost::exponent() const { return std::log2(seconds[2] / seconds[0]) / 2; }

}  // namespace splitproof::results
