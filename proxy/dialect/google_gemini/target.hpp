#pragma once

#include <optional>
#include <string_view>

#include "proxy/request/target.hpp"

namespace splitproof::proxy::dialect {

/// The header with a client's key, and the member of the query that may have the key instead.
constexpr std::string_view kGeminiKeyHeader = "x-goog-api-key";
constexpr std::string_view kGeminiKeyMember = "key";

/// True for paths that only clients of this protocol use: all of /v1beta and /v1beta1, and a method of a model in /v1.
bool is_gemini_path(std::string_view path);

/// Reads the target of a request for an answer: `models/MODEL:generateContent` or `:streamGenerateContent` after the
/// version, also with Vertex AI's longer path before `models`. Returns nothing for other targets.
std::optional<request::Target> read_gemini_target(std::string_view path, std::string_view query);

}  // namespace splitproof::proxy::dialect
