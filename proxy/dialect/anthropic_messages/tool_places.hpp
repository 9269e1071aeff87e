#pragma once

#include "proxy/names/tool_places.hpp"

namespace splitproof::proxy::dialect {

/// Where a Messages request names tools: in `tools`, in the calls of the history and in `tool_choice`. Tools that the provider
/// defines are no functions. What has not the form of the protocol is passed over.
names::ToolPlaces messages_request_tools(const wire::Json& request);

/// The same of a whole answer, which has calls alone.
names::ToolPlaces messages_answer_tools(const wire::Json& answer);

}  // namespace splitproof::proxy::dialect
