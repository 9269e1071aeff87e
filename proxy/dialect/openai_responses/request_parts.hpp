#pragma once

#include <string>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/request/conversation.hpp"
#include "proxy/request/members.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

// Parts of a Responses request. They throw a request::Refusal.

/// Reads the items of `input`, or its text, and adds the tools that stand among them.
void read_input(const wire::Json& input, const Limits& limits, request::Conversation& conversation,
                request::DeclaredTools& declared);

/// Adds the tools of a list; `space` is the namespace that they are in, escaped, or empty.
void read_tools(const wire::Json& tools, const std::string& field, std::string_view space,
                request::DeclaredTools& declared);

/// The name under which the upstream knows a tool; both escaped.
std::string name_in(std::string_view space, std::string_view name);

/// Reads `tool_choice`, once the tools are there.
void read_choice(const wire::Json& choice, request::Asked& asked);

}  // namespace splitproof::proxy::dialect
