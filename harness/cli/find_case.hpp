#pragma once

#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// A case and its recording. Its recut, fault and split are not checked yet.
struct FoundCase {
  campaign::Case one;
  recording::Recording recording;
};

/// Returns the case that `what` names: a recording's path, a recording's id or a case id. Ids are searched
/// for in `corpus`, as in load_recordings.
Result<FoundCase> find_case(const std::string& what, const std::vector<std::string>& corpus);

}  // namespace splitproof::cli
