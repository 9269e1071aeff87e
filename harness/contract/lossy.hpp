#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/client_capabilities.hpp"

namespace splitproof::contract {

/// Name of the files about the fate of an answer's content if the client speaks another protocol.
inline constexpr const char* kLossyFile = "lossy.yaml";

/// Fate of each listed kind, by the protocols of upstream and client.
using Lossy = std::map<std::pair<std::string, std::string>, std::map<std::string, observe::LossPolicy>>;

/// Returns the word in the files.
std::string_view name(observe::LossPolicy becomes);

/// Reads the file of each folder that has one. Throws Mistake, with file and line, for duplicate and
/// impossible entries.
Lossy read_lossy(const std::vector<std::filesystem::path>& dirs);

}  // namespace splitproof::contract
