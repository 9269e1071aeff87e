#pragma once

#include <string>
#include <string_view>

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Returns an error in the protocol's envelope: `{"type":"error","error":{"type":...,"message":...}}`.
std::string messages_error_json(turn::ErrorKind kind, std::string_view message);

/// Returns the HTTP status of a kind. `api` is 502, because the upstream of the proxy failed.
int messages_error_status(turn::ErrorKind kind);

/// Returns the kind of an error object, by its type. An unknown type is read like one of OpenAI's; `api` if that is unknown too.
turn::ErrorKind kind_of_messages_error(const wire::Json& error);

/// Reads the error in an event or a body.
turn::Failure messages_failure(const wire::Json& event);

/// True if it has the protocol's form.
bool is_messages_error(const wire::Json& event);

}  // namespace splitproof::proxy::dialect
