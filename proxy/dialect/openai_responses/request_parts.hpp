#pragma once

#include <string>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/request/conversation.hpp"
#include "proxy/request/members.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// Parts of a Responses request. They throw a request::Refusal.

/// Reads the items or the text of `input`, and adds the tools among them.
void read_input(const wire::Json& input, const Limits& limits, request::Conversation& conversation,
                request::DeclaredTools& declared);

/// Adds the tools of a list. `space` is their namespace, escaped, or empty.
void read_tools(const wire::Json& tools, const std::string& field, std::string_view space,
                request::DeclaredTools& declared);

/// Returns the upstream's name of a tool; both are escaped.
std::string name_in(std::string_view space, std::string_view name);

/// Reads `tool_choice`. Requires that the tools have been read.
void read_choice(const wire::Json& choice, request::Asked& asked);

}  // namespace splitproof::proxy::dialect
