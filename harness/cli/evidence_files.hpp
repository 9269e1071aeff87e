#pragma once

#include <string>
#include <vector>

#include "harness/evidence/manifest.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// What paths lead to.
struct FoundEvidence {
  std::vector<std::string> files;  ///< in the order of the paths, of one folder in that of their names
  std::vector<evidence::Manifest> manifests;  ///< of the runs that they are of, as far as folders were named
};

/// The evidence files that the paths name, folders standing for all that is in and below them. Files of a folder have to
/// be those that the manifest there, or in the nearest folder above, names: an Error tells of one that is missing, was
/// changed or is of another run, and of a folder without manifest or evidence. Files that are named themselves are taken
/// as they are.
Result<FoundEvidence> find_evidence(const std::vector<std::string>& paths);

}  // namespace splitproof::cli
