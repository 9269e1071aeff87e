#pragma once

#include <optional>
#include <string>

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Returns the error that a chunk or a choice of Chat Completions reports. It is one of these:
///
/// - an `error` member, or `error` in `x_groq`, that is an object or a text
/// - a `base_resp` whose `status_code` is not 0
/// - the whole chunk, if it has no choices, and `"object":"error"`, `"type":"error"`, or a `code` with a `message`
/// - the whole chunk, if it came under `event: error` (`named_error`)
///
/// The kind follows the error's HTTP status, code or type.
std::optional<turn::Failure> find_failure(const wire::Json& chunk, bool named_error, bool is_choice = false);

/// Returns the failure that a finish_reason in lower case reports, if generation failed.
std::optional<turn::Failure> find_breakdown(const std::string& finish);

/// True if an error has the protocol's form: an object with a message.
bool is_chat_error(const wire::Json& error);

}  // namespace splitproof::proxy::dialect
