#pragma once

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::results {

/// Joins what two parts of one run found out, as if one had found it. Parts may come in any order, and more than once: it is
/// associative, commutative and idempotent. Where both tell of the same recording and target, the greater value stays. An Error names what shows that they are no parts of one run.
Result<RunResult> merge(RunResult a, const RunResult& b);

/// Puts results in the order in which a run tells of them: by target, as in `targets`, and then by the id of the
/// recording.
void sort(std::vector<RecordingResult>& results, const std::vector<std::string>& targets);

}  // namespace splitproof::results
