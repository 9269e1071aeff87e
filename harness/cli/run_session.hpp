#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "harness/campaign/case_list.hpp"
#include "harness/cli/run_command.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::cli {

/// Settings of a run that another command makes, next to the options of `run`.
struct RunContext {
  /// Targets that are values, by their entry in `RunCommand::targets`.
  std::map<std::string, testee::TargetFile> files;
  /// The time limit counts from then on.
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  bool prints = true;  ///< The console report.
  /// Cases to run instead of those of the command; null: the command's.
  std::shared_ptr<const campaign::CaseList> listed = {};
  std::size_t* repeatable = nullptr;  ///< Receives campaign::Results::repeatable.
};

/// Runs the campaign and returns the exit code. Call it while the program has one thread.
int run_campaign(const RunCommand& command, const RunContext& context);

}  // namespace splitproof::cli
