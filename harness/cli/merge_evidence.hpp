#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/evidence/manifest.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// Evidence of the parts of one run, before it is joined.
struct EvidenceParts {
  std::vector<std::string> folders;           ///< Folders with a manifest.
  std::vector<evidence::Manifest> manifests;  ///< One for each folder.
  evidence::Manifest whole;                   ///< The joined manifest, without files.
};

/// Finds the evidence in and below the folders among these paths, and checks each file against its manifest. Returns an
/// Error if the parts are of different runs, if a file is missing or has changed, and if no folder has evidence.
Result<EvidenceParts> find_evidence_parts(const std::vector<std::string>& paths);

/// The joined evidence.
struct JoinedEvidence {
  std::size_t files = 0;
  std::size_t cases = 0;
};

/// Writes the joined evidence to a folder, with its manifest last. Returns an Error if parts have different observations of
/// one case, or if the folder has other evidence or is one of the parts.
Result<JoinedEvidence> join_evidence(const EvidenceParts& parts, const std::string& folder);

}  // namespace splitproof::cli
