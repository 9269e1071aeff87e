#pragma once

#include <optional>
#include <string>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Returns the reason if the protocol cannot carry a request: too many stop texts, or too long a tool name.
std::optional<request::Refusal> chat_refusal(const request::Asked& asked);

/// Writes a Chat Completions request. It always asks for a stream with usage at its end. One turn may become several
/// messages:
///
///     user:      one `tool` message for each result, in order, then one `user` message with text and images
///     assistant: one message with the text, then the calls
///
/// Chat accepts only text as a tool's result. Its images go to the start of the user message, each after a line that
/// names the result. An error result begins with "Error: ", because Chat has no mark for it. Texts of one system
/// prompt, assistant turn or result are joined by a blank line. If the choice is none, no tools are sent, so no call
/// can be made.
std::string write_chat_request(const request::Asked& asked, const Knobs& knobs);

}  // namespace splitproof::proxy::dialect
