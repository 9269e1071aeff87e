#pragma once

#include "proxy/names/tool_places.hpp"

namespace splitproof::proxy::dialect {

/// Finds the tool names of a Messages request: in `tools`, in the calls of the history and in `tool_choice`. Skips
/// tools that the provider defines, and content without the protocol's form.
names::ToolPlaces messages_request_tools(const wire::Json& request);

/// Finds them in a whole answer, which has only calls.
names::ToolPlaces messages_answer_tools(const wire::Json& answer);

}  // namespace splitproof::proxy::dialect
