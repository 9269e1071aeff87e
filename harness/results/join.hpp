#pragma once

#include <vector>

#include "harness/contract/verdict.hpp"
#include "harness/results/result.hpp"

namespace splitproof::results {

/// Returns the verdict that matters more to a user.
contract::Verdict stronger(contract::Verdict a, contract::Verdict b);

/// Adds the result of later cases of the same recording and target: of another part, share or round, or of a
/// testee with the same name. Joins rows by rule; either result may have more. Merges equal behaviours. A
/// joined row and behaviour show the case that is easier to read, and the earlier of equal ones. So joining
/// is associative: any division of the cases into consecutive results gives the same.
void join(RecordingResult& result, RecordingResult later);

/// Adds only the rows and behaviours of later cases.
void add(RecordingResult& result, std::vector<Row> rows, std::vector<Behaviour> behaviours);

}  // namespace splitproof::results
