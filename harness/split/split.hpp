#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::split {

/// Offsets at which a body of n bytes is cut. Strictly increasing, each in 1 .. n-1. Without cuts the body
/// stays whole; a body of fewer than two bytes cannot be cut.
using Cuts = std::vector<std::size_t>;

/// A split of one body, with its label in case ids ("gen=seam:17", "cuts=12,340").
struct Split {
  std::string label;
  Cuts cuts;

  bool operator==(const Split&) const = default;
};

/// Checks `cuts` against this definition for a body of `size` bytes. The Error names the first bad offset.
Result<void> check_cuts(const Cuts& cuts, std::size_t size);

/// Returns the pieces of `body` in order; only the piece of an empty body is empty. `cuts` must have passed
/// `check_cuts`. The views live as long as the body.
std::vector<std::string_view> chunks(std::string_view body, const Cuts& cuts);

}  // namespace splitproof::split
