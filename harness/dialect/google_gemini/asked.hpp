#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "harness/observe/asked.hpp"

namespace splitproof::dialect {

/// Reads a request to Gemini, generateContent or streamGenerateContent. The model and the choice of a stream are in
/// its path. Calls and results without ids get ids here, which connect them as Gemini does: a result answers the first
/// call of its name that has no result yet.
observe::AskedRequest asked_of_gemini(const nlohmann::json& body);

/// Returns false: Gemini connects calls and results without the client's ids.
bool gemini_takes_id(std::string_view id);

}  // namespace splitproof::dialect
