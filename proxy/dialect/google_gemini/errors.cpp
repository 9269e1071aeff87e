#include "proxy/dialect/google_gemini/errors.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "proxy/wire/json.hpp"
#include "proxy/wire/json_splice.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;
using wire::Json;

constexpr std::size_t kErrorDepth = 128;

struct StatusRow {
  ErrorKind kind;
  int code;
  std::string_view status;
};

// google/rpc/code.proto names the statuses.
constexpr std::array<StatusRow, 10> kRows = {{
    {ErrorKind::invalid_request, 400, "INVALID_ARGUMENT"},
    {ErrorKind::authentication, 401, "UNAUTHENTICATED"},
    {ErrorKind::billing, 429, "RESOURCE_EXHAUSTED"},
    {ErrorKind::permission, 403, "PERMISSION_DENIED"},
    {ErrorKind::not_found, 404, "NOT_FOUND"},
    {ErrorKind::request_too_large, 413, "INVALID_ARGUMENT"},
    {ErrorKind::rate_limit, 429, "RESOURCE_EXHAUSTED"},
    {ErrorKind::api, 502, "INTERNAL"},
    {ErrorKind::timeout, 504, "DEADLINE_EXCEEDED"},
    {ErrorKind::overloaded, 503, "UNAVAILABLE"},
}};

const StatusRow& row_of(ErrorKind kind) {
  return *std::find_if(kRows.begin(), kRows.end(), [&](const StatusRow& row) { return row.kind == kind; });
}

}  // namespace

std::string gemini_error_json(ErrorKind kind, std::string_view message) {
  const StatusRow& row = row_of(kind);
  return "{\"error\":{\"code\":" + std::to_string(row.code) + ",\"message\":" + wire::quoted(message) +
         ",\"status\":" + wire::quoted(row.status) + "}}";
}

Answer gemini_error(ErrorKind kind, std::string_view message) {
  return {row_of(kind).code, gemini_error_json(kind, message)};
}

Answer gemini_refused(const request::Refusal& refusal) {
  return gemini_error(ErrorKind::invalid_request, refusal.message);
}

void set_gemini_status(Answer& answer, int status) {
  answer.status = status;
  const wire::JsonDocument document(answer.body, kErrorDepth);
  const Json code = document.root()["error"]["code"];
  if (!code) return;
  wire::JsonSplice splice(answer.body);
  splice.replace(code.raw(), std::to_string(status));
  answer.body = std::move(splice).done();
}

std::optional<Answer> gemini_lone_error(std::string_view stream) {
  constexpr std::string_view kEventHead = "data: ";
  const bool array = stream.starts_with('[');
  if (array) {
    if (!stream.ends_with(']')) return std::nullopt;
    stream = stream.substr(1, stream.size() - 2);
  } else if (stream.starts_with(kEventHead)) {
    stream.remove_prefix(kEventHead.size());
    stream = stream.substr(0, stream.find('\r'));
  }
  if (!stream.starts_with("{\"error\":")) return std::nullopt;
  Answer answer;
  answer.body = stream;
  const wire::JsonDocument document(answer.body, kErrorDepth);
  answer.status = static_cast<int>(document.root()["error"]["code"].count().value_or(0));
  return answer;
}

bool is_gemini_error(std::string_view body) {
  const wire::JsonDocument document(body, kErrorDepth);
  const Json root = document.root();
  const Json error = (root.is(wire::JsonKind::array) ? root.first() : root)["error"];
  return error["code"].count() && !error["message"].text().empty();
}

}  // namespace splitproof::proxy::dialect
