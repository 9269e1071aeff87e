#pragma once

#include <string>

namespace splitproof::cli {

/// Copies the recordings below `folder` that differ from each other into `out`, and prints what each adds. Returns the
/// exit code.
int distil_recordings(const std::string& folder, const std::string& out);

}  // namespace splitproof::cli
