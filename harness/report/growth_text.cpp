#include "harness/report/growth_text.hpp"

#include <fmt/format.h>

namespace splitproof::report {

std::vector<std::string> growth_lines(const results::Growth& growth) {
  std::vector<std::string> lines;
  for (const results::SquareCost& cost : growth.square) {
    lines.push_back(fmt::format(
        "advice: its cost grows with the square of the {0}: {1}, {2}, {3} {0} cost {4:.2f}, {5:.2f}, "
        "{6:.2f} s{7}, about n^{8:.1f}",
        cost.of, cost.sizes[0], cost.sizes[1], cost.sizes[2], cost.seconds[0], cost.seconds[1],
        cost.seconds[2], growth.of_processor ? " of processor time" : "", cost.exponent()));
  }
  std::string tried;
  std::string refused;
  for (const results::GrowthTried& one : growth.tried) {
    if (one.most > 0)
      tried += fmt::format("{}{} {} ({:.2f} s)", tried.empty() ? "" : ", ", one.most, one.of, one.seconds);
    else
      refused += (refused.empty() ? "" : ", ") + one.of;
  }
  std::string line = "splitproof measured the growth of its cost";
  if (!tried.empty()) line += ", up to " + tried;
  if (!refused.empty()) line += "; without an answer: " + refused;
  if (!growth.ended.empty()) line += "; the rest was not measured: " + growth.ended;
  lines.push_back(line);
  return lines;
}

}  // namespace splitproof::report
