#pragma once

#include <functional>

namespace splitproof::cli {

/// Runs `command` as a program: with built-in files, open standard descriptors, visible output, and
/// exceptions as internal errors. Returns the exit code.
int as_program(const std::function<int()>& command);

}  // namespace splitproof::cli
