#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes a request of OpenAI's Responses. It always asks for a stream, and for no storing. The system prompt becomes
/// the instructions, its texts joined by a blank line. Later system texts are messages in their place. Each call and
/// each result is an item, and texts between them are messages. An error result begins with "Error: ", because the
/// protocol has no mark for it. Tools always have `strict`, because its default is true.
///
/// Refuses stop texts.
tl::expected<std::string, request::Refusal> write_responses_request(const request::Asked& asked);

}  // namespace splitproof::proxy::dialect
