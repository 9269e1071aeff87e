#pragma once

#include <string>
#include <vector>

#include "harness/evidence/manifest.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// Evidence found at some paths.
struct FoundEvidence {
  std::vector<std::string> files;             ///< in the order of the paths; within a folder by name
  std::vector<evidence::Manifest> manifests;  ///< of their runs, if folders were named
};

/// Returns the evidence files at the paths; a folder includes its subfolders. The manifest in a folder, or in
/// the nearest folder above, must list the folder's files. Returns an Error for a file that is missing,
/// changed or of another run, and for a folder without manifest or evidence. Files that are named directly
/// are not checked.
Result<FoundEvidence> find_evidence(const std::vector<std::string>& paths);

}  // namespace splitproof::cli
