#pragma once

#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

// Errors of all OpenAI APIs.

/// Returns an error in OpenAI's envelope, as JSON: `{"error":{"message":...,"type":...,"param":...,"code":...}}`.
std::string openai_error_json(turn::ErrorKind kind, std::string_view message, std::string_view code,
                              std::string_view param = {});

/// The same as an answer. The status follows the kind; `api` is 502, because a failure behind a proxy is its
/// upstream's.
Answer openai_error(turn::ErrorKind kind, std::string_view message);

/// Returns the error of a refused request. `param` is the field.
Answer openai_refused(const request::Refusal& refusal);

/// Returns a kind's word, different for each, or the upstream's `own` if clients use it: after context_length_exceeded
/// they shorten the conversation and do not retry.
std::string_view openai_error_code(turn::ErrorKind kind, std::string_view own);

/// True if a body is such an error: an object with a message in words.
bool is_openai_error(std::string_view body);

/// Returns the answer for an error in a stream; `code` is such a word.
Answer openai_error_of(std::string_view code, std::string_view message);

}  // namespace splitproof::proxy::dialect
