#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Reads a request of Chat Completions, and refuses one that passes a limit. Pure.
///
/// A custom tool is a function with one argument `input`; `aliases` says so, and the writer turns its calls back. Left out is
/// what means nothing to the upstream's answer or has no counterpart and changes little: thinking of earlier turns, and
/// fields about sampling beyond temperature and top_p, storing, caching, tracing and verbosity. What would change the answer
/// is refused: several choices, the functions that came before tools, hosted tools, files and audio. docs/proxy.md has
/// the table.
tl::expected<request::Asked, request::Refusal> read_chat_request(std::string_view body, const Limits& limits);

}  // namespace splitproof::proxy::dialect
