#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::ui {

/// A finished program.
struct ProgramRun {
  int code = 0;     ///< Exit code; 128 and the signal if a signal ended it.
  std::string out;  ///< Standard output.
  std::string err;  ///< Standard error.
};

/// Runs this program once more, with these arguments and this standard input. A file that makes it fail or that
/// takes too long ends only that run. Returns an Error if it cannot be started or does not end within the limit.
Result<ProgramRun> run_own_program(const std::vector<std::string>& arguments, std::string_view input,
                                   std::chrono::seconds limit);

}  // namespace splitproof::ui
