#pragma once

#include <string>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes the turns of a request as Gemini's `contents`: contents of user and model, which alternate. Consecutive turns
/// of one side become one content.
///
/// A call is a `functionCall`, and its result a `functionResponse` with the same id and the name of the call. Results
/// come right after the content with their calls, in the order of the calls, before all other parts. A result that is a
/// JSON object stays one. Another result is `{"output": TEXT}`, and an error `{"error": TEXT}`. A result without a call
/// becomes words, because it has no name. Images of results follow them, each after a text that names its call. An image
/// is `inlineData`, or `fileData` if it is a URL.
std::string gemini_contents(const request::Asked& asked);

}  // namespace splitproof::proxy::dialect
