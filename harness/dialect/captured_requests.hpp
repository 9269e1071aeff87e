#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/asked_trace.hpp"
#include "harness/result.hpp"

namespace splitproof::dialect {

/// Returns the requests in a file: one JSON object, JSON lines, or the upstream calls of evidence
/// (contracts/specifications/evidence.md). An object with `body` and one of `method`, `path`, `headers` and `client` is
/// an exchange. Its body is a JSON value or JSON text. `client` has the `protocol` and the `body` of the
/// client's request. `status` instead of a body means that the upstream got no request. Any other object is
/// itself the body. An Error names `file`, the line and the fault. A file without requests is an Error too.
Result<std::vector<RequestMessage>> captured_requests(const std::string& file, std::string_view text);

}  // namespace splitproof::dialect
