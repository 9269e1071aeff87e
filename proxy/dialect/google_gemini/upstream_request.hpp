#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Writes the body of a request of Gemini's `streamGenerateContent`. The model is in its path.
///
/// All texts of the system are the system instruction. An effort of thinking is a budget of tokens, and also requests
/// the thoughts. Gemini has no choice of calls one at a time and no strict tools: both are left out. Refuses more texts
/// that end the answer than the protocol has.
tl::expected<std::string, request::Refusal> write_gemini_request(const request::Asked& asked);

/// Returns the path of a request for `model` under the base URL of an upstream. A base that ends with a version, or with
/// the `publishers/google` of Vertex, has its own version.
std::string gemini_path(std::string_view base, std::string_view model, bool stream = true);

/// Longest name of a function, in bytes.
constexpr std::size_t kMostGeminiToolName = 64;

/// Returns the name of a function that the protocol accepts: it begins with a letter or `_`. After that it has letters,
/// digits, and `_.:-`. All other bytes become `_`.
std::string gemini_tool_name(std::string_view name);

}  // namespace splitproof::proxy::dialect
