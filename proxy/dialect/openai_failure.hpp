#pragma once

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// What an error of any of OpenAI's APIs says, or of a server that is like them: an object with `message`, and `code`,
/// `type` or a status by which its kind is known, or a text.
turn::Failure openai_failure(const wire::Json& error);

}  // namespace splitproof::proxy::dialect
