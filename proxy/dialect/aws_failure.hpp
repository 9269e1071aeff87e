#pragma once

#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads an error of an AWS service: an exception frame of a stream, or the body of an HTTP error, named by its
/// `__type`. `error` is the frame's data, if any.
turn::Failure aws_failure(const wire::Frame& frame, const wire::Json& error);

}  // namespace splitproof::proxy::dialect
