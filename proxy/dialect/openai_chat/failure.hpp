#pragma once

#include <optional>
#include <string>

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// The error that a Chat Completions chunk reports, if it does: an `error` member (object or text), or, where
/// a chunk has no choices, the whole object being an error (`"object":"error"`, `"type":"error"`, a `code` with
/// a `message`, or `named_error`: it came under `event: error`). The kind follows its HTTP status, code or type.
/// `chunk` may be a choice too.
std::optional<turn::Failure> find_failure(const wire::Json& chunk, bool named_error, bool is_choice = false);

/// The failure that a finish reports, in lower case, if generation broke down.
std::optional<turn::Failure> find_breakdown(const std::string& finish);

/// An error has the form of the protocol: an object that says in words what happened.
bool is_chat_error(const wire::Json& error);

}  // namespace splitproof::proxy::dialect
