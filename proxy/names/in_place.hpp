#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "proxy/names/tool_map.hpp"
#include "proxy/names/tool_places.hpp"

namespace splitproof::names {

// What is passed on within one protocol is not written anew: names of tools, keys of their schemas and of calls' arguments are
// replaced where they stand. All other bytes stay as they came. What is no JSON, or nested deeper than `depth`, stays
// altogether.

/// A request with the upstream's names.
struct NamedRequest {
  std::string body;
  ToolMap tools;  ///< those of the map that are in force, by which the upstream's calls have to be told
};

NamedRequest name_in_place(const ToolMap& map, FindPlaces places, std::string_view request,
                           std::size_t depth);

/// A whole answer with the client's names, by the tools that are in force.
std::string tell_in_place(const ToolMap& in_force, FindPlaces places, std::string_view answer,
                          std::size_t depth);

}  // namespace splitproof::names
