#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/client_capabilities.hpp"

namespace splitproof::contract {

/// The name of the files that say what becomes of what an answer holds where the client speaks another protocol.
inline constexpr const char* kLossyFile = "lossy.yaml";

/// By the protocols of the upstream and of the client: what becomes of each kind that a row names.
using Lossy = std::map<std::pair<std::string, std::string>, std::map<std::string, observe::LossPolicy>>;

/// The word of the files for it.
std::string_view name(observe::LossPolicy becomes);

/// Reads the file of each folder that has one. Throws a Mistake, with file and line, for what is said twice and for what
/// cannot be.
Lossy read_lossy(const std::vector<std::filesystem::path>& dirs);

}  // namespace splitproof::contract
