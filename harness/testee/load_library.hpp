#pragma once

#include <string>

#include "harness/result.hpp"

namespace splitproof::testee {

/// Loads the shared library at `path`, and returns its handle for dlsym. It is never unloaded. A static
/// program (no_libraries.cpp) always returns an Error.
Result<void*> load_library(const std::string& path);

}  // namespace splitproof::testee
