#pragma once

#include <vector>

#include "harness/contract/verdict.hpp"
#include "harness/results/result.hpp"

namespace splitproof::results {

/// Returns the verdict that matters more to a user.
contract::Verdict stronger(contract::Verdict a, contract::Verdict b);

/// Adds another result for the same recording and target: from another round, or from a testee with the same
/// name. Joins rows by obligation; either result may have more. The function is symmetric, except that
/// `result` keeps its recording. A joined row shows the case that is easier to read.
void join(RecordingResult& result, RecordingResult other);

/// Adds the results of further cases of the same round. Merges equal behaviours.
void add(RecordingResult& result, std::vector<Row> rows, std::vector<Behaviour> behaviours);

}  // namespace splitproof::results
