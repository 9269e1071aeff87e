#pragma once

#include <memory>
#include <string>

#include "harness/coverage/coverage.hpp"

namespace splitproof::coverage {

/// Returns the coverage of a loaded shared library. Its places are the edges that clang counts if the library is compiled with
/// -fsanitize-coverage=inline-8bit-counters,pc-table (SanitizerCoverage in clang's documentation). `path` is the path with
/// which it was loaded. Without counters, take() returns an Error.
std::shared_ptr<Coverage> coverage_of_library(const std::string& path);

}  // namespace splitproof::coverage
