#include "proxy/dialect/openai_error.hpp"

#include <algorithm>
#include <array>

#include "proxy/wire/json.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;

constexpr std::size_t kDepth = 128;

struct CodeRow {
  ErrorKind kind;
  int status;
  std::string_view type;
  std::string_view code;
};

constexpr std::array<CodeRow, 10> kRows = {{
    {ErrorKind::invalid_request, 400, "invalid_request_error", "invalid_prompt"},
    {ErrorKind::authentication, 401, "invalid_request_error", "invalid_api_key"},
    {ErrorKind::billing, 429, "insufficient_quota", "insufficient_quota"},
    {ErrorKind::permission, 403, "invalid_request_error", "permission_denied"},
    {ErrorKind::not_found, 404, "invalid_request_error", "not_found"},
    {ErrorKind::request_too_large, 413, "invalid_request_error", "request_too_large"},
    {ErrorKind::rate_limit, 429, "rate_limit_error", "rate_limit_exceeded"},
    {ErrorKind::api, 502, "server_error", "server_error"},
    {ErrorKind::timeout, 504, "server_error", "timeout"},
    {ErrorKind::overloaded, 503, "server_error", "overloaded"},
}};

const CodeRow& row_of(ErrorKind kind) {
  return *std::find_if(kRows.begin(), kRows.end(), [&](const CodeRow& row) { return row.kind == kind; });
}

}  // namespace

std::string openai_error_json(ErrorKind kind, std::string_view message, std::string_view code,
                              std::string_view param) {
  const CodeRow& row = row_of(kind);
  return "{\"error\":{\"message\":" + wire::quoted(message) + ",\"type\":" + wire::quoted(row.type) +
         ",\"param\":" + (param.empty() ? "null" : wire::quoted(param)) + ",\"code\":" + wire::quoted(code) +
         "}}";
}

Answer openai_error(ErrorKind kind, std::string_view message) {
  const CodeRow& row = row_of(kind);
  return {row.status, openai_error_json(kind, message, row.code)};
}

Answer openai_refused(const request::Refusal& refusal) {
  const CodeRow& row = row_of(ErrorKind::invalid_request);
  return {row.status, openai_error_json(row.kind, refusal.message, row.code, refusal.field())};
}

std::string_view openai_error_code(ErrorKind kind, std::string_view own) {
  return own == "context_length_exceeded" ? own : row_of(kind).code;
}

bool is_openai_error(std::string_view body) {
  const wire::JsonDocument document(body, kDepth);
  return !document.root()["error"]["message"].text().empty();
}

Answer openai_error_of(std::string_view code, std::string_view message) {
  const auto row =
      std::find_if(kRows.begin(), kRows.end(), [&](const CodeRow& known) { return known.code == code; });
  const CodeRow& known = row == kRows.end() ? row_of(ErrorKind::invalid_request) : *row;
  return {known.status, openai_error_json(known.kind, message, code)};
}

}  // namespace splitproof::proxy::dialect
