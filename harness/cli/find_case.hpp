#pragma once

#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// A case and its recording. Whether the recording has such a recut, fault and split is not asked yet.
struct FoundCase {
  campaign::Case one;
  recording::Recording recording;
};

/// The case that `what` names: a recording's path, a recording's id or a case id, whichever there is. `corpus` is where
/// ids are looked for, as for load_recordings.
Result<FoundCase> find_case(const std::string& what, const std::vector<std::string>& corpus);

}  // namespace splitproof::cli
