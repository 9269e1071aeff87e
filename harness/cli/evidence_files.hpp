#pragma once

#include <string>
#include <vector>

#include "harness/evidence/evidence_file.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// Where `--evidence DIR` puts what a target did on a recording: DIR/TARGET/RECORDING.evidence.jsonl, and what it did on
/// an upstream's statuses beside it.
std::string evidence_path(const std::string& folder, const evidence::Evidence& evidence, bool statuses);

/// Makes the folder that `--evidence` names, if any: an Error, before anything runs, where nothing can be written there.
Result<void> make_evidence_folder(const std::string& folder);

/// The evidence files that the paths name, folders standing for all that are in and below them, in the order of their
/// names. An Error where a path is not there, or a folder holds none.
Result<std::vector<std::string>> find_evidence(const std::vector<std::string>& paths);

}  // namespace splitproof::cli
