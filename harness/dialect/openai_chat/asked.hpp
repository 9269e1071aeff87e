#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/observe/asked.hpp"

namespace splitproof::dialect {

/// Reads a request of Chat Completions from any JSON. Omits invalid parts. The body must outlive the result.
observe::AskedRequest asked_of_chat(const nlohmann::json& body);

}  // namespace splitproof::dialect
