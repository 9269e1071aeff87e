#pragma once

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Gives calls ids of their own where a client has used one again, as providers let it: the first keeps the id, the next ones get
/// a number behind it. Results go to these calls in the order in which they were made.
void tell_calls_apart(Asked& asked);

}  // namespace splitproof::request
