#pragma once

#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Makes repeated ids of calls unique, because providers accept them. The first call keeps the id, later ones get a
/// number after it. Results go to these calls in order. A call with more than one result is refused: no protocol has a
/// place for the second.
tl::expected<void, Refusal> tell_calls_apart(Asked& asked);

}  // namespace splitproof::request
