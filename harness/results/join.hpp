#pragma once

#include <vector>

#include "harness/contract/verdict.hpp"
#include "harness/results/result.hpp"

namespace splitproof::results {

/// Of two verdicts on one obligation the one that a person has to know.
contract::Verdict stronger(contract::Verdict a, contract::Verdict b);

/// Adds what else was found out about the same recording and target: by another round, or by another testee that goes by
/// the same name. Rows are joined by their obligations, of which one result may have more than the other. Which of the two
/// is `result` does not matter but for the recording that it points to; a row that both have shows the case that is the
/// easier to look at.
void join(RecordingResult& result, RecordingResult other);

/// Adds how further cases of the same round turned out. A behaviour that is known is told once.
void add(RecordingResult& result, std::vector<Row> rows, std::vector<Behaviour> behaviours);

}  // namespace splitproof::results
