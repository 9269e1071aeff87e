#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads a client's request of `Converse` or `ConverseStream`. Model and stream are in its target. Marks of the cache,
/// reasoning and settings of the service, such as guardrails, are left out. Refuses content that cannot be translated,
/// and members of `additionalModelRequestFields`, which only one model knows, apart from Claude's for thinking.
tl::expected<request::Asked, request::Refusal> read_converse_request(std::string_view body,
                                                                     const Limits& limits);

}  // namespace splitproof::proxy::dialect
