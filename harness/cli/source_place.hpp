#pragma once

#include <string>

namespace splitproof::cli {

/// Returns the path of a file below the root of the current source, as code scanning names files. The root is
/// the nearest folder with `.git`, from the working directory upwards, otherwise the working directory.
/// Returns "" for a file outside. Symbolic links are not followed.
std::string place_in_source(const std::string& path);

}  // namespace splitproof::cli
