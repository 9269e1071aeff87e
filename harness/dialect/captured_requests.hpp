#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/asked_trace.hpp"
#include "harness/result.hpp"

namespace splitproof::dialect {

/// The requests that a file holds: one JSON object, or JSON lines of several, or evidence (docs/evidence.md), of which the
/// calls of the upstream count. An object with a member `body` and one of
/// `method`, `path`, `headers` and `client` is an exchange, whose body may be a JSON value or its text; `client` holds the
/// `protocol` and the `body` of the client's request for which it was asked; with `status` in place of a body, nothing was.
/// Any other object is the body itself. An Error names `file`, the line, and what is wrong; one is returned for a file
/// without requests too.
Result<std::vector<RequestMessage>> captured_requests(const std::string& file, std::string_view text);

}  // namespace splitproof::dialect
