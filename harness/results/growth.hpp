#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace splitproof::results {

/// A cost that grows with the square of a size of the request or stream.
struct SquareCost {
  std::string of;                      ///< "tools"
  std::array<std::size_t, 3> sizes{};  ///< n, 2n and 4n
  std::array<double, 3> seconds{};     ///< cost of each, minus the cost of the smallest request

  auto operator<=>(const SquareCost&) const = default;

  /// Returns e in "the cost grows as n^e".
  double exponent() const;
};

/// Tested range of one dimension.
struct GrowthTried {
  std::string of;        ///< as above
  std::size_t most = 0;  ///< largest answered size; 0: not even the first
  double seconds = 0;    ///< its cost

  auto operator<=>(const GrowthTried&) const = default;
};

/// Growth of one target's costs. It is advice, not a verdict.
struct Growth {
  bool of_processor = false;       ///< costs are processor time of the target; otherwise clock time
  std::vector<SquareCost> square;  ///< quadratic costs
  std::vector<GrowthTried> tried;  ///< all tested dimensions
  std::string ended;               ///< reason why the test ended early; empty: it is complete

  auto operator<=>(const Growth&) const = default;
};

}  // namespace splitproof::results
