#pragma once

#include <string>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes a request of Ollama's chat endpoint. It always asks for a stream. One turn may become several messages:
///
///   user:      one `tool` message for each result, in order, then one `user` message with text and images
///   assistant: one message with the text, then the calls, their arguments as objects
///
/// A result names its tool where the call stands in an earlier turn. Images are data in base64: an image by URL is told as
/// a line of text that holds the URL. Texts of one message are joined by a blank line. Ollama knows no choice of tools:
/// under "none" there are no tools, and every other choice is automatic.
std::string write_ollama_request(const request::Asked& asked, const Knobs& knobs);

}  // namespace splitproof::proxy::dialect
