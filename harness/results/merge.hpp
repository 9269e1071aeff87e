#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::results {

/// In the shards of a heading: a shard that did not finish.
inline constexpr std::size_t kUnfinishedShard = 0;

/// Merges the results of the parts of one run. The result does not depend on their order, and a part that
/// comes twice counts once. If several have a result for the same cases of a recording and target, the
/// greatest stays.
class Merger {
 public:
  /// The Error names the field that proves that the parts belong to different runs.
  Result<void> take(RunResult part);

  /// Call it once, after at least one part.
  RunResult end();

 private:
  RunResult all_;
  std::map<std::set<std::size_t>, CutShort> cut_short_;  // by shards; without shards by the empty set
  bool begun_ = false;
};

/// Merges two parts.
Result<RunResult> merge(RunResult a, RunResult b);

/// Returns the shards, from 1, that the results of a sharded campaign lack.
std::vector<std::size_t> missing_shards(const RunHeading& header);

/// Joins the parts of each recording. If no shard is missing, the result equals the result of one run.
void join_parts(RunResult& run);

/// Checks that the joined results of all shards have all cases, unless the run ended early. Results that lack
/// shards pass.
Result<void> check_covered(const RunResult& run);

/// Sorts results by target, in the order of `targets`, then by the id of the recording.
void sort(std::vector<RecordingResult>& results, const std::vector<std::string>& targets);

}  // namespace splitproof::results
