#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads an Anthropic Messages request, and refuses one that passes a limit. Pure.
///
/// What means nothing to the upstream's answer, or has no counterpart and changes little, is left out: metadata,
/// cache_control, thinking (the setting, and the blocks of earlier turns), service_tier, unknown fields. So are empty
/// texts beside others. What would change the answer is refused: server tools, mcp_servers, container, top_k, unknown
/// kinds of content. docs/proxy.md has the table.
tl::expected<request::Asked, request::Refusal> read_messages_request(std::string_view body,
                                                                     const Limits& limits);

}  // namespace splitproof::proxy::dialect
