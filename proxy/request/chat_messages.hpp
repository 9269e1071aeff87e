#pragma once

#include <string>

#include "proxy/wire/json.hpp"

namespace splitproof::request {

/// Appends `,"messages":[..]`, the system prompt first. One Messages turn may become several Chat messages:
///
///   user:      one `tool` message for each tool_result, in order, then one `user` message with text and images
///   assistant: one message with the text, then the calls; thinking is left out
///
/// Chat takes only text as the result of a tool: its images stand at the start of the user message, each after a line
/// that says whose result it is. A result that is an error begins with "Error: ", for Chat has no mark for it. Texts of
/// one system prompt, assistant turn or result are joined by a blank line. Empty texts are dropped. Throws a Refusal
/// of what has no counterpart.
void append_messages(const wire::Json& system, const wire::Json& messages, std::string& body);

}  // namespace splitproof::request
