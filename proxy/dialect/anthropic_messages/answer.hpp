#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// Returns an error in Anthropic's envelope. The status follows the kind; `api` is 502, because a failure behind a
/// proxy is its upstream's.
Answer messages_error(turn::ErrorKind kind, std::string_view message);

/// Returns the error of a refused request, with the details that clients use.
Answer messages_refused(const request::Refusal& refusal);

/// True if a body is an error in place of a stream.
bool is_messages_error(std::string_view body);

/// Returns the answer for an event stream that contains only an error. Its body is that event's data.
std::optional<Answer> messages_lone_error(std::string_view events);

/// Returns the answer for a client without a stream: the message of an Anthropic Messages event stream, or its error.
/// `events` is a whole stream from the writer. A call whose arguments were cut off by max_tokens or a content filter is
/// left out: half an object cannot be written, and an empty one would be a call that the model never made.
Answer messages_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
