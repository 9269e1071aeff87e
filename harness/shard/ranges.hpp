#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace splitproof::shard {

/// One recording with one target.
struct Lot {
  std::string id;         ///< Unique among the lots.
  std::size_t cases = 0;  ///< Its planned cost.

  bool operator==(const Lot&) const = default;
};

/// A range of the cases of a lot.
struct CaseRange {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< One past the last case.

  bool empty() const { return begin >= end; }
  bool operator==(const CaseRange&) const = default;
};

/// by_case: several shards may share a lot. never: each lot belongs to one shard.
enum class Division { by_case, never };

/// Returns the range of each lot that shard `number` runs, counted from 0. Most ranges are empty. The ranges of
/// all `count` shards divide every lot without gaps.
///
/// The result depends only on ids and cases, so every machine computes the same:
///
/// 1. The hash of its id assigns each lot to a bundle. A lot that is larger than half a share has its own
///    bundle.
/// 2. The cases of a bundle form a row. Each shard gets one of `count` equal parts of each row. So all shards
///    have equally many cases, except for rounding.
/// 3. If lots are never divided, a shard gets the lots whose middle is in its part.
///
/// Another lot changes the parts of one bundle, and a bundle is smaller than a share. So few cases move.
///
/// More than 64 shards divide one row of all lots. Otherwise each shard would get one case of many recordings, and its
/// report would be larger than its work. Then another lot moves more cases.
std::vector<CaseRange> ranges_of_shard(const std::vector<Lot>& lots, std::size_t number, std::size_t count,
                                       Division division = Division::by_case);

}  // namespace splitproof::shard
