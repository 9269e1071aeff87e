#include "harness/cli/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace splitproof::cli {
namespace {

constexpr std::size_t kNear = 3;  // edits between a typing mistake and what was meant

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t least = kNear + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least && distance <= std::max<std::size_t>(2, candidate.size() / 2)) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace splitproof::cli
