#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/name_map.hpp"

namespace splitproof::dialect {

/// Returns the capabilities of a client of this protocol with this request: its protocol, and its
/// declarations under a map of names, or none. A null request declares nothing.
observe::ClientCapabilities capabilities_of_client(const std::string& protocol, const nlohmann::json* request,
                                                   const observe::NameMap* names);

}  // namespace splitproof::dialect
