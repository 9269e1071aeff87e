#include "proxy/dialect/anthropic_messages/errors.hpp"

#include <algorithm>
#include <array>

#include "proxy/dialect/openai_failure.hpp"
#include "proxy/dialect/reported.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;

struct ErrorRow {
  ErrorKind kind;
  std::string_view type;
  int status;
};

// platform.claude.com/docs/en/api/errors, apart from the status of `api`
constexpr std::array<ErrorRow, 10> kRows = {{
    {ErrorKind::invalid_request, "invalid_request_error", 400},
    {ErrorKind::authentication, "authentication_error", 401},
    {ErrorKind::billing, "billing_error", 402},
    {ErrorKind::permission, "permission_error", 403},
    {ErrorKind::not_found, "not_found_error", 404},
    {ErrorKind::request_too_large, "request_too_large", 413},
    {ErrorKind::rate_limit, "rate_limit_error", 429},
    {ErrorKind::api, "api_error", 502},
    {ErrorKind::timeout, "timeout_error", 504},
    {ErrorKind::overloaded, "overloaded_error", 529},
}};

const ErrorRow& row_of(ErrorKind kind) {
  return *std::find_if(kRows.begin(), kRows.end(), [&](const ErrorRow& row) { return row.kind == kind; });
}

}  // namespace

std::string messages_error_json(ErrorKind kind, std::string_view message) {
  return "{\"type\":\"error\",\"error\":{\"type\":" + wire::quoted(row_of(kind).type) +
         ",\"message\":" + wire::quoted(message) + "}}";
}

int messages_error_status(ErrorKind kind) { return row_of(kind).status; }

ErrorKind kind_of_messages_error(const wire::Json& error) {
  const wire::Json type = error["type"];
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const ErrorRow& known) { return known.type == type.text(); });
  // A gateway may pass on the type of another API.
  return row == kRows.end() ? openai_failure(error).kind : row->kind;
}

turn::Failure messages_failure(const wire::Json& event) {
  const wire::Json error = event["error"];
  return {kind_of_messages_error(error), message_of(error), {}};
}

bool is_messages_error(const wire::Json& event) {
  const wire::Json error = event["error"];
  return event["type"].text() == "error" && !error["type"].text().empty() && !error["message"].text().empty();
}

}  // namespace splitproof::proxy::dialect
