#pragma once

#include <filesystem>
#include <vector>

#include "harness/observe/name_map.hpp"

namespace splitproof::contract {

/// The folder of the files that say how tools are called on the two sides of a proxy that renames them.
inline constexpr const char* kNamesFolder = "names";

/// Reads `names/NAME.yaml` of each folder. Throws a Mistake, with file and line, for what is said twice and for what
/// cannot be.
observe::NameMaps read_name_maps(const std::vector<std::filesystem::path>& dirs);

}  // namespace splitproof::contract
