#pragma once

#include <cstdint>
#include <string>

#include "proxy/dialect/knobs.hpp"
#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

// Members of requests for thinking, in the form of Claude's models.

/// Returns the member `thinking`; empty if the client names no effort, and where the models refuse it. They refuse it
/// with `temperature` and `top_p`, and with a forced tool. They refuse a fixed budget in an answer to results.
std::string thinking_member(const request::Asked& asked, std::uint64_t max_tokens, AskThinking ask);

/// Returns the member `effort`; empty if the client names none.
std::string effort_member(const request::Asked& asked, AskThinking ask);

}  // namespace splitproof::proxy::dialect
