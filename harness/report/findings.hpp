#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "harness/results/result.hpp"

namespace splitproof::report {

/// Every violation of one obligation by one target, over the recordings.
struct Finding {
  using Entry = std::pair<const results::RecordingResult*, const results::Row*>;

  const results::Row* shown = nullptr;           ///< the one with the smallest reproducer
  const results::RecordingResult* in = nullptr;  ///< whose row that is
  std::vector<Entry> rows;                       ///< in the order of the results
  std::size_t violating = 0;                     ///< cases, over all rows
};

/// The violations in `results` that an expectation expects, or else the others, in the order in which their obligations
/// and targets are first violated. The results must outlive them.
std::vector<Finding> findings_of(const std::vector<results::RecordingResult>& results, bool expected);

}  // namespace splitproof::report
