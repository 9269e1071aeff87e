#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads a request of `generateContent`. The model and the choice of a stream are in the path, so they are optional
/// members here. Refuses what would change the answer if it were left out.
tl::expected<request::Asked, request::Refusal> read_gemini_request(std::string_view body,
                                                                   const Limits& limits);

}  // namespace splitproof::proxy::dialect
