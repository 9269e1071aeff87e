#pragma once

#include <cstddef>
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

/// Writes the target file. The command of the target runs in the folder above the file, which is the working directory of
/// today. The folder is made.
Result<void> write_try_target(testee::TargetFile target);

/// Returns the command that runs the same first cases again and compares them with the known failures. 0 cases: those of a
/// minute.
std::string run_again_line(std::size_t cases);

/// Writes the workflow with that command. Its folder is made.
Result<void> write_try_workflow(std::size_t cases);

}  // namespace splitproof::cli
