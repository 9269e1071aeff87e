#pragma once

#include <string>
#include <string_view>

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// An error in the protocol's envelope: `{"type":"error","error":{"type":...,"message":...}}`.
std::string messages_error_json(turn::ErrorKind kind, std::string_view message);

/// The HTTP status that goes with it. `api` is 502, for what fails behind a proxy is its upstream.
int messages_error_status(turn::ErrorKind kind);

/// The kind of error that a word stands for; `api` of a word that nobody knows.
turn::ErrorKind kind_of_messages_error(std::string_view type);

/// What an event or a body says that reports an error.
turn::Failure messages_failure(const wire::Json& event);

/// Whether it has the protocol's form.
bool is_messages_error(const wire::Json& event);

}  // namespace splitproof::proxy::dialect
