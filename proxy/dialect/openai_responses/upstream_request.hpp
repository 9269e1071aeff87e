#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes a request of OpenAI's Responses. It always asks for a stream, and that nothing be stored. The system prompt are the
/// instructions, its texts joined by a blank line; what the system says later is a message in its place. Each call and each
/// result is an item, and what is said between them a message. A result that is an error begins with "Error: ", for the
/// protocol has no mark for it. Tools say whether they are strict, since the protocol takes them for that.
///
/// Refuses texts that end the answer.
tl::expected<std::string, request::Refusal> write_responses_request(const request::Asked& asked);

}  // namespace splitproof::proxy::dialect
