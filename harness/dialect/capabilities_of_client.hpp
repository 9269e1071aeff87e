#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/name_map.hpp"

namespace splitproof::dialect {

/// What a client of this protocol can be told that asked so: what its protocol carries, and what its request declares,
/// under a map of names, or none. A request that is null declares nothing.
observe::ClientCapabilities capabilities_of_client(const std::string& protocol, const nlohmann::json* request,
                                                   const observe::NameMap* names);

}  // namespace splitproof::dialect
