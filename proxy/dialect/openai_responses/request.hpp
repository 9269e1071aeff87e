#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads a request of OpenAI's Responses, and refuses one above a limit. Pure.
///
/// A custom tool becomes a function with one argument `input`. The name of a tool in a namespace is both names joined
/// by `__`. They are listed in `aliases`, and the writer turns their calls back. Leaves out what does not change the
/// upstream's answer, or has no counterpart and changes little: earlier reasoning, hosted searches (`web_search`,
/// `tool_search`), and fields about storing, caching, tracing and verbosity. Refuses what would change the answer:
/// references to stored data, other hosted tools, files, unknown items. docs/proxy.md has the table.
tl::expected<request::Asked, request::Refusal> read_responses_request(std::string_view body,
                                                                      const Limits& limits);

}  // namespace splitproof::proxy::dialect
