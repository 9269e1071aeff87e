#pragma once

#include <string>

#include "proxy/wire/json.hpp"

namespace splitproof::request {

/// Appends `,"tools":[..]` with `tool_choice` and `parallel_tool_calls` where they say something, or nothing where there
/// are no tools. `tool_choice: none` leaves the tools out: then no call can be made. Throws a Refusal of a tool that the
/// provider would run itself, and of a choice of tools that are not there.
void append_tools(const wire::Json& tools, const wire::Json& choice, std::string& body);

}  // namespace splitproof::request
