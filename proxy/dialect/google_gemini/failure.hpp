#pragma once

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads an error of a Google API: an object with `code`, `message` and `status`, or a text. Its status gives the kind,
/// otherwise its code, which is an HTTP status.
turn::Failure google_failure(const wire::Json& error);

}  // namespace splitproof::proxy::dialect
