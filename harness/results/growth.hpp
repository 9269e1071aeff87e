#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace splitproof::results {

/// A cost that grows with the square of a size of the request or stream.
struct SquareCost {
  std::string of;                      ///< "tools".
  std::array<std::size_t, 3> sizes{};  ///< n, 2n and 4n.
  std::array<double, 3> seconds{};     ///< Cost of each, minus the cost of the smallest request.

  auto operator<=>(const SquareCost&) const = default;

  /// Returns e in "the cost grows as n^e".
  double exponent() const;
};

/// Tested range of one dimension.
struct GrowthTried {
  std::string of;        ///< As above.
  std::size_t most = 0;  ///< Largest answered size; 0: not even the first.
  double seconds = 0;    ///< Its cost.

  auto operator<=>(const GrowthTried&) const = default;
};

/// Growth of one target's costs. It is advice, not a verdict.
struct Growth {
  bool of_processor = false;       ///< Costs are processor time of the target; otherwise clock time.
  std::vector<SquareCost> square;  ///< Quadratic costs.
  std::vector<GrowthTried> tried;  ///< All tested dimensions.
  std::string ended;               ///< Reason why the test ended early; empty: it is complete.

  auto operator<=>(const Growth&) const = default;
};

}  // namespace splitproof::results
