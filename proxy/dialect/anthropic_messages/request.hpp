#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads an Anthropic Messages request, and refuses one above a limit. Pure.
///
/// Leaves out what does not change the upstream's answer, or has no counterpart and changes little: metadata,
/// cache_control, thinking (the setting and earlier blocks), service_tier, unknown fields, empty texts next to others.
/// Refuses what would change the answer: server tools, mcp_servers, container, top_k, unknown content. docs/proxy.md
/// has the table.
tl::expected<request::Asked, request::Refusal> read_messages_request(std::string_view body,
                                                                     const Limits& limits);

}  // namespace splitproof::proxy::dialect
