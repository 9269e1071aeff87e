#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads a request of OpenAI's Responses, and refuses one that passes a limit. Pure.
///
/// A custom tool is a function with one argument `input`, a tool in a namespace has both names joined by `__`; `aliases`
/// says so, and the writer turns their calls back. Left out is what means nothing to the upstream's answer or has no
/// counterpart and changes little: reasoning of earlier turns, hosted searches (`web_search`, `tool_search`), and fields
/// about storing, caching, tracing and verbosity. What would change the answer is refused: what this server would have had
/// to store, other hosted tools, files, unknown items. docs/proxy.md has the table.
tl::expected<request::Asked, request::Refusal> read_responses_request(std::string_view body,
                                                                      const Limits& limits);

}  // namespace splitproof::proxy::dialect
