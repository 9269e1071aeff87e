#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::split {

/// Where a body of n bytes is cut: before each of these offsets. Strictly increasing, each in 1 .. n-1. No
/// cut at all leaves the body whole; bodies of fewer than two bytes cannot be cut.
using Cuts = std::vector<std::size_t>;

/// A split of one body, with the label by which a case id carries it ("gen=seam:17", "cuts=12,340").
struct Split {
  std::string label;
  Cuts cuts;

  bool operator==(const Split&) const = default;
};

/// Holds `cuts` against the definition above, for a body of `size` bytes. The Error names the first offset
/// that breaks it.
Result<void> check_cuts(const Cuts& cuts, std::size_t size);

/// The pieces of `body`, in order: one more than there are cuts, none of them empty unless the body is.
/// Joined they are the body. `cuts` must have passed `check_cuts` for this body. The views live as long as
/// the body.
std::vector<std::string_view> chunks(std::string_view body, const Cuts& cuts);

}  // namespace splitproof::split
