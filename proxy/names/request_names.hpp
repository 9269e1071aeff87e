#pragma once

#include <cstddef>

#include "proxy/names/tool_map.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::names {

/// Gives the functions of a request the names that `map` has for the upstream, in declarations, calls of the history
/// and the choice, and their arguments and schemas the upstream's keys. Says by `aliases` what the client calls them,
/// also of those that it did not declare. Returns the tools of the map that are in force (InForce), by which the upstream's
/// calls have to be told.
ToolMap name_for_upstream(const ToolMap& map, std::size_t depth, request::Asked& asked);

}  // namespace splitproof::names
