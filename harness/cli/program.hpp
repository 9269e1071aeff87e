#pragma once

#include <functional>

namespace splitproof::cli {

/// Runs `command` as a program does: with the files that are built in, open standard descriptors, output that shows what
/// cannot be seen, and exceptions as an internal error. Returns the exit code.
int as_program(const std::function<int()>& command);

}  // namespace splitproof::cli
