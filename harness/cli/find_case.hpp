#pragma once

#include <string>
#include <vector>

#include "harness/campaign/case_id.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// A case and its recording. Whether the recording has such a split is not asked yet.
struct Case {
  campaign::CaseId id;
  recording::Recording recording;
};

/// The case that `what` names: a recording's path, a recording's id or a case id, whichever there is. `corpus` is where
/// ids are looked for, as for load_recordings.
Result<Case> find_case(const std::string& what, const std::vector<std::string>& corpus);

}  // namespace splitproof::cli
