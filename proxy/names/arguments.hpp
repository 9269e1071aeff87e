#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/names/tool_map.hpp"

namespace splitproof::names {

enum class Towards : std::uint8_t { client, upstream };

/// The arguments of a call of `tool` as this side knows them: a JSON object in which keys, values and members are
/// other ones. All other bytes stay as they are written. What is no JSON object, or nested deeper than `depth`, stays
/// altogether.
std::string told_arguments(const MappedTool& tool, Towards towards, std::string_view json, std::size_t depth);

/// The client's schema of such arguments, with the names of properties that the upstream is to use.
std::string told_schema(const MappedTool& tool, std::string_view schema, std::size_t depth);

}  // namespace splitproof::names
