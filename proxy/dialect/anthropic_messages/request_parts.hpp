#pragma once

#include <string>
#include <vector>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// Parts of a Messages request. They throw a request::Refusal.

/// Returns the texts of a system prompt.
std::vector<std::string> read_system(const wire::Json& system);

/// Returns the turns in order. A turn without remaining content has no blocks.
std::vector<request::Turn> read_turns(const wire::Json& messages, const Limits& limits);

/// Reads `tools` and `tool_choice`. Refuses tools that the provider runs itself, and a choice of undeclared tools.
void read_tools(const wire::Json& tools, const wire::Json& choice, const Limits& limits,
                request::Asked& asked);

}  // namespace splitproof::proxy::dialect
