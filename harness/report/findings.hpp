#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "harness/results/result.hpp"

namespace splitproof::report {

/// All violations of one obligation by one target, over the recordings.
struct Finding {
  using Entry = std::pair<const results::RecordingResult*, const results::Row*>;

  const results::Row* shown = nullptr;           ///< the row with the smallest reproducer
  const results::RecordingResult* in = nullptr;  ///< result of that row
  std::vector<Entry> rows;                       ///< in the order of the results
  std::size_t violating = 0;                     ///< cases, over all rows
};

/// Returns the expected violations in `results`, or the others, in the order of first violation by obligation
/// and target. The results must outlive them.
std::vector<Finding> findings_of(const std::vector<results::RecordingResult>& results, bool expected);

}  // namespace splitproof::report
