#pragma once

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads an error of an OpenAI API or of a similar server: a text, or an object with `message`. Its `code`, `type` or
/// status gives the kind.
turn::Failure openai_failure(const wire::Json& error);

}  // namespace splitproof::proxy::dialect
