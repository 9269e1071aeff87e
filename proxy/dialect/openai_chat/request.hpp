#pragma once

#include <optional>
#include <string>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Why the protocol has no room for a request: more texts that end the answer, or a longer name of a tool,
/// than it takes. Nothing: it has.
std::optional<request::Refusal> chat_refusal(const request::Asked& asked);

/// Writes a Chat Completions request. It always asks for a stream, and for usage at its end. One turn may become several
/// messages:
///
///   user:      one `tool` message for each result, in order, then one `user` message with text and images
///   assistant: one message with the text, then the calls
///
/// Chat takes only text as the result of a tool: its images stand at the start of the user message, each after a line
/// that says whose result it is. A result that is an error begins with "Error: ", for Chat has no mark for it. Texts of
/// one system prompt, assistant turn or result are joined by a blank line. Without a choice of tools there are no tools:
/// then no call can be made.
std::string write_chat_request(const request::Asked& asked, const Knobs& knobs);

}  // namespace splitproof::proxy::dialect
