#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// Returns an error in Anthropic's envelope. Its status depends on the kind. `api` is 502, because the
/// upstream of the proxy failed.
Answer messages_error(turn::ErrorKind kind, std::string_view message);

/// Returns the error of a refused request, with the details that clients use.
Answer messages_refused(const request::Refusal& refusal);

/// True if a body is an error in place of a stream.
bool is_messages_error(std::string_view body);

/// Returns the answer for an event stream that contains only an error. Its body is that event's data.
std::optional<Answer> messages_lone_error(std::string_view events);

/// Returns the answer for a client without a stream: the message of an Anthropic Messages event stream, or its error.
/// `events` is a whole stream from the writer. A call is left out if max_tokens or a content filter cut off its
/// arguments. Half an object is not valid JSON, and an empty object would be a call that the model never made.
Answer messages_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
