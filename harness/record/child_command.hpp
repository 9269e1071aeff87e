#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::record {

/// Starts a program of the user with this process's descriptors and environment, and these variables (NAME=VALUE). It
/// gets all signals again that this process blocks.
Result<pid_t> start_command(const std::vector<std::string>& command,
                            const std::vector<std::string>& variables);

/// Returns the exit code of a child that has ended, or 128 plus its signal.
int exit_code_of(int status);

}  // namespace splitproof::record
