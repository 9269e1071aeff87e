#pragma once

#include <compare>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace splitproof::results {

/// Marks the result of only some cases of a recording. The planned cases of a recording with a target have an
/// order, and a part is a range of it. `join` of all its parts, in this order, gives the result of one run.
struct RecordingPart {
  std::size_t begin = 0;
  std::size_t end = 0;            ///< One past the last case.
  std::size_t of = 0;             ///< Planned cases of the recording with the target.
  std::set<std::string> outputs;  ///< Digests of the distinct downstream bodies that are new in this part.
  std::vector<std::size_t> gaps = {};  ///< Begin and end of each range in it whose cases are not in it.

  /// True if it has all planned cases.
  bool is_whole() const { return begin == 0 && end >= of && gaps.empty(); }

  auto operator<=>(const RecordingPart&) const = default;
};

}  // namespace splitproof::results
