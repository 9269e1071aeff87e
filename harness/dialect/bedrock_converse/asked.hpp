#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "harness/observe/asked.hpp"

namespace splitproof::dialect {

/// Reads a request to Bedrock's Converse or ConverseStream. The model and the choice of a stream are in its path. A
/// `cachePoint` is no block: it marks the block or tool before it.
observe::AskedRequest asked_of_converse(const nlohmann::json& body);

/// True for ids that the service accepts: 1 to 64 letters, digits, `_` and `-` (ToolUseBlock).
bool converse_takes_id(std::string_view id);

}  // namespace splitproof::dialect
