#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/observe/asked.hpp"

namespace splitproof::dialect {

/// What a request of Anthropic Messages asks. The body must outlive it. Takes any JSON: what is not as the protocol has it is left out.
observe::AskedRequest asked_of_anthropic(const nlohmann::json& body);

}  // namespace splitproof::dialect
