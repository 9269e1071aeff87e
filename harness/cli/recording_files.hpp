#pragma once

#include <string>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::cli {

/// Returns the paths of all recordings below a folder, sorted. The Error has the system's reason.
Result<std::vector<std::string>> recording_files(const std::string& folder);

}  // namespace splitproof::cli
