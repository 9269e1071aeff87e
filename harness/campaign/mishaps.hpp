#pragma once

#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/contract/judge.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Returns a RUN violation for each kind of mishap, with count and description.
std::vector<contract::Judged> judge_mishaps(const std::vector<testee::UnattributedFailure>& mishaps);

/// Adds the failures that no single case causes to a testee's results. Each RUN obligation with mishaps gets
/// one violated row, in the recording whose case met the first. If a case already violates it there, the
/// first recording without such a case gets the row. Does nothing if the testee has no result with rows.
void add_mishaps(std::vector<results::RecordingResult>& results, const std::string& target,
                 const std::vector<testee::UnattributedFailure>& mishaps);

}  // namespace splitproof::campaign
