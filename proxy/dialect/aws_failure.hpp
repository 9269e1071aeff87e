#pragma once

#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// What an error of a service of AWS says: an exception frame of a stream, or the body of an HTTP error, whose `__type`
/// names it. `error` is what its data holds, or nothing.
turn::Failure aws_failure(const wire::Frame& frame, const wire::Json& error);

}  // namespace splitproof::proxy::dialect
