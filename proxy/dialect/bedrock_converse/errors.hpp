#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"

namespace splitproof::proxy::dialect {

/// Appends an exception as a frame. Its `:exception-type` names the kind.
void append_converse_exception(turn::ErrorKind kind, std::string_view message, std::string& out);

/// Returns an error in place of a stream: `{"__type":...,"message":...}`. The header `x-amzn-ErrorType` has the type
/// too, because AWS's SDKs read it there first. `api` is 502, because the upstream of the proxy failed.
Answer converse_error(turn::ErrorKind kind, std::string_view message);

/// Returns the error of a refused request.
Answer converse_refused(const request::Refusal& refusal);

/// Returns the same for an exception of the writer, as the framer cuts it.
Answer converse_exception_answer(const wire::Frame& exception);

/// Returns the answer for a stream of the writer that contains only an exception.
std::optional<Answer> converse_lone_error(std::string_view stream);

/// True if a body is an error in place of a stream.
bool is_converse_error(std::string_view body);

}  // namespace splitproof::proxy::dialect
