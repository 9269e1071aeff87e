#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/observe/asked.hpp"

namespace splitproof::dialect {

/// Reads a request of Responses from any JSON, with each item as a turn. Omits invalid parts. The body must
/// outlive the result.
observe::AskedRequest asked_of_responses(const nlohmann::json& body);

}  // namespace splitproof::dialect
