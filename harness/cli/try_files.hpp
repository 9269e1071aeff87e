#pragma once

#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::cli {

/// The files that `try --write` writes, relative to the working directory.
inline constexpr const char* kTargetPath = "splitproof/target.yaml";
inline constexpr const char* kKnownPath = "splitproof/known.txt";
inline constexpr const char* kWorkflowPath = ".github/workflows/splitproof.yml";

/// Returns an Error if one of these files exists: `try` never overwrites a file.
Result<void> check_unwritten();

/// Writes the target file and the workflow. The command of the target runs in the folder above the target file, which is the
/// working directory of today. The folders are made.
Result<void> write_try_files(testee::TargetFile target);

}  // namespace splitproof::cli
