#pragma once

#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/contract/judge.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// RUN, violated by each kind of mishap that there is, with how often and how.
std::vector<contract::Judged> judge_mishaps(const std::vector<testee::UnattributedFailure>& mishaps);

/// Adds to the results of a testee what befell it and was the fault of no one case: for each RUN obligation with mishaps,
/// one row is violated, of the recording whose case first met with one; where a case violates the obligation there anyway,
/// of the first recording where none does. Nothing is added where the testee has no result with rows.
void add_mishaps(std::vector<results::RecordingResult>& results, const std::string& target,
                 const std::vector<testee::UnattributedFailure>& mishaps);

}  // namespace splitproof::campaign
