#pragma once

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::results {

/// Merges the results of two parts of one run. The function is associative, commutative and idempotent: parts
/// may come in any order, and a part that comes twice counts once. If both have a result for the same
/// recording and target, the greater value stays. The Error names the field that proves that the parts belong
/// to different runs.
Result<RunResult> merge(RunResult a, const RunResult& b);

/// Sorts results by target, in the order of `targets`, then by the id of the recording.
void sort(std::vector<RecordingResult>& results, const std::vector<std::string>& targets);

}  // namespace splitproof::results
