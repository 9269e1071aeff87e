#pragma once

#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

// Errors as all of OpenAI's APIs have them.

/// An error in OpenAI's envelope, as JSON: `{"error":{"message":...,"type":...,"param":...,"code":...}}`.
std::string openai_error_json(turn::ErrorKind kind, std::string_view message, std::string_view code,
                              std::string_view param = {});

/// The same as an answer. The status follows the kind; `api` is 502, for what fails behind a proxy is its upstream.
Answer openai_error(turn::ErrorKind kind, std::string_view message);

/// That of a request that is refused: `param` is the field.
Answer openai_refused(const request::Refusal& refusal);

/// The word that stands for a kind, another for each; or the upstream's `own`, where clients act on it: after
/// context_length_exceeded they make the conversation shorter, and do not ask again.
std::string_view openai_error_code(turn::ErrorKind kind, std::string_view own);

/// Whether a body is such an error: an object with one that says in words what happened.
bool is_openai_error(std::string_view body);

/// The answer that says what an error in a stream does; `code` is such a word.
Answer openai_error_of(std::string_view code, std::string_view message);

}  // namespace splitproof::proxy::dialect
