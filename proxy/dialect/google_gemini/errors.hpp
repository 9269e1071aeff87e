#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// Returns an error in Google's envelope, as JSON: `{"error":{"code":...,"message":...,"status":...}}`. The code is the
/// HTTP status of the kind. `api` is 502, because the upstream of the proxy failed.
std::string gemini_error_json(turn::ErrorKind kind, std::string_view message);

/// Returns the same as an answer.
Answer gemini_error(turn::ErrorKind kind, std::string_view message);

/// Returns the error of a refused request.
Answer gemini_refused(const request::Refusal& refusal);

/// Gives an error another HTTP status. The body repeats it as `code`, and Google's SDK reads it there.
void set_gemini_status(Answer& answer, int status);

/// Returns the answer for a stream of the writer that contains only an error.
std::optional<Answer> gemini_lone_error(std::string_view stream);

/// True if a body is such an error, alone or as the only element of an array.
bool is_gemini_error(std::string_view body);

}  // namespace splitproof::proxy::dialect
