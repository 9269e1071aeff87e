#pragma once

#include <string>

#include "harness/result.hpp"

namespace splitproof::cli {

inline constexpr const char* kBuildAll = "build all of splitproof with `make`, or install it again";

/// Returns the path of a bundled library or program: next to the executable in a build tree, in
/// `LIBDIR/splitproof` if installed. The Error has `missing` as its text.
Result<std::string> own_file(const std::string& name, const std::string& missing);

}  // namespace splitproof::cli
