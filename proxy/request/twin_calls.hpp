#pragma once

#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Gives calls ids of their own where a client has used one again, as providers let it: the first keeps the id, the next ones get
/// a number behind it. Results go to these calls in the order in which they were made. A call with more results than one is
/// refused: no protocol has a place for the second.
tl::expected<void, Refusal> tell_calls_apart(Asked& asked);

}  // namespace splitproof::request
