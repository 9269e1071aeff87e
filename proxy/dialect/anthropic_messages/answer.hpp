#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// An error in Anthropic's envelope. The status follows the kind; `api` is 502, for what fails behind a proxy is its
/// upstream.
Answer messages_error(turn::ErrorKind kind, std::string_view message);

/// That of a request that is refused, with the details that clients act on.
Answer messages_refused(const request::Refusal& refusal);

/// Whether a body is an error in place of a stream.
bool is_messages_error(std::string_view body);

/// The answer that says what an event stream says, if all it says is an error: its body is that event's data.
std::optional<Answer> messages_lone_error(std::string_view events);

/// The answer to a client that did not ask for a stream: the message that an Anthropic Messages event stream adds up to,
/// or its error. `events` is a whole stream as the writer writes it. A call whose arguments were cut off, by max_tokens or
/// a content filter, is left out: there is no way to write half an object, and an empty one would be a call that nobody
/// made.
Answer messages_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
