#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/names/tool_map.hpp"

namespace splitproof::names {

enum class Towards : std::uint8_t { client, upstream };

/// Returns the arguments of a call of `tool` for one side: a JSON object with renamed keys, values and members. All
/// other bytes stay. Other JSON, and JSON deeper than `depth`, stays unchanged.
std::string told_arguments(const MappedTool& tool, Towards towards, std::string_view json, std::size_t depth);

/// Returns the client's schema of such arguments with the upstream's property names.
std::string told_schema(const MappedTool& tool, std::string_view schema, std::size_t depth);

}  // namespace splitproof::names
