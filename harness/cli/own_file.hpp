#pragma once

#include <string>

#include "harness/result.hpp"

namespace splitproof::cli {

inline constexpr const char* kBuildAll = "build all of splitproof with `make`, or install it again";

/// Where a library or a program is that comes with this one: beside the executable in a build tree, or in `LIBDIR/splitproof`
/// where installed. An Error says what is missing where it is not there.
Result<std::string> own_file(const std::string& name, const std::string& missing);

}  // namespace splitproof::cli
