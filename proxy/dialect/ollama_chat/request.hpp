#pragma once

#include <string>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes a request of Ollama's chat endpoint. It always asks for a stream. One turn may become several messages:
///
///     user:      one `tool` message for each result, in order, then one `user` message with text and images
///     assistant: one message with the text, then the calls, their arguments as objects
///
/// A result names its tool if an earlier turn has the call. Images are base64 data; an image by URL becomes a line of
/// text with the URL. Texts of one message are joined by a blank line. Ollama has no choice of tools: "none" sends no
/// tools, and every other choice is automatic.
std::string write_ollama_request(const request::Asked& asked, const Knobs& knobs);

}  // namespace splitproof::proxy::dialect
