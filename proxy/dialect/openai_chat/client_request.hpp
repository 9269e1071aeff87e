#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads a request of Chat Completions, and refuses one above a limit. Pure.
///
/// A custom tool becomes a function with one argument `input`. It is listed in `aliases`, and the writer turns its
/// calls back. Leaves out what does not change the upstream's answer, or has no counterpart and changes little: earlier
/// thinking, and fields about sampling beyond temperature and top_p, storing, caching, tracing and verbosity. Refuses
/// what would change the answer: several choices, the old functions, hosted tools, files and audio. docs/proxy.md has
/// the table.
tl::expected<request::Asked, request::Refusal> read_chat_request(std::string_view body, const Limits& limits);

}  // namespace splitproof::proxy::dialect
