#pragma once

#include <filesystem>
#include <vector>

#include "harness/observe/name_map.hpp"

namespace splitproof::contract {

/// Folder of the files with tool names on both sides of a proxy that renames them.
inline constexpr const char* kNamesFolder = "names";

/// Reads `names/NAME.yaml` of each folder. Throws Mistake, with file and line, for duplicate and impossible
/// entries.
observe::NameMaps read_name_maps(const std::vector<std::filesystem::path>& dirs);

}  // namespace splitproof::contract
