#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace splitproof::results {

/// A cost that grows with the square of what a request or a stream has many of.
struct SquareCost {
  std::string of;                      ///< "tools"
  std::array<std::size_t, 3> sizes{};  ///< n, 2n and 4n
  std::array<double, 3> seconds{};     ///< what each cost, beyond what the smallest request costs

  auto operator<=>(const SquareCost&) const = default;

  /// The e of "the cost grows as n^e".
  double exponent() const;
};

/// How far one dimension was tried.
struct GrowthTried {
  std::string of;        ///< as above
  std::size_t most = 0;  ///< that was answered; 0: not even the first request was
  double seconds = 0;    ///< what that cost

  auto operator<=>(const GrowthTried&) const = default;
};

/// How the cost of one target grows. It is advice, and no verdict.
struct Growth {
  bool of_processor = false;       ///< costs are processor time of the target; else of the clock
  std::vector<SquareCost> square;  ///< what grows with the square
  std::vector<GrowthTried> tried;  ///< all that was looked at
  std::string ended;               ///< why the rest was not tried; empty: all was

  auto operator<=>(const Growth&) const = default;
};

}  // namespace splitproof::results
