#pragma once

#include <cstddef>

#include "proxy/names/tool_map.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::names {

/// Gives the functions of a request their upstream names in `map`: in declarations, history and choice, with the keys
/// of arguments and schemas. Adds the client's names to `aliases`, also for undeclared functions. Returns the mapped
/// tools (InForce), needed to rename the upstream's calls.
ToolMap name_for_upstream(const ToolMap& map, std::size_t depth, request::Asked& asked);

}  // namespace splitproof::names
