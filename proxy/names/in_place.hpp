#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "proxy/names/tool_map.hpp"
#include "proxy/names/tool_places.hpp"

namespace splitproof::names {

// Renaming in relayed content: names of tools, keys of their schemas and keys of calls' arguments are replaced in
// place. All other bytes stay. Text that is not JSON or is deeper than `depth` stays unchanged.

/// A request with the upstream's names.
struct NamedRequest {
  std::string body;
  ToolMap tools;  ///< mapped tools, needed to rename the upstream's calls
};

NamedRequest name_in_place(const ToolMap& map, FindPlaces places, std::string_view request,
                           std::size_t depth);

/// Returns a whole answer with the client's names, for the mapped tools.
std::string tell_in_place(const ToolMap& in_force, FindPlaces places, std::string_view answer,
                          std::size_t depth);

}  // namespace splitproof::names
