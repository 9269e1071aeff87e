#pragma once

#include <string>

namespace splitproof::cli {

/// The path of a file below the root of the source that is worked on, as code scanning names files. The root is the next
/// folder from the working directory upwards that holds `.git`, or else the working directory. Empty for a file outside
/// it. A link counts where it lies, and not where it leads.
std::string place_in_source(const std::string& path);

}  // namespace splitproof::cli
