#pragma once

#include <optional>
#include <string>

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Returns the error of a Chat Completions chunk, if any: an `error` member (object or text). Without choices, the
/// whole object may be the error: `"object":"error"`, `"type":"error"`, a `code` with a `message`, or `named_error` for
/// an event named `error`. The kind follows its HTTP status, code or type. `chunk` may also be a choice.
std::optional<turn::Failure> find_failure(const wire::Json& chunk, bool named_error, bool is_choice = false);

/// Returns the failure for a finish, in lower case, that reports broken generation.
std::optional<turn::Failure> find_breakdown(const std::string& finish);

/// True if an error has the protocol's form: an object with a message in words.
bool is_chat_error(const wire::Json& error);

}  // namespace splitproof::proxy::dialect
