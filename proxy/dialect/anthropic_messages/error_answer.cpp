#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "proxy/dialect/anthropic_messages/answer.hpp"
#include "proxy/dialect/anthropic_messages/writer.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;

constexpr std::string_view kErrorHead = "event: error\ndata: ";
constexpr std::size_t kDepth = 128;

struct StatusOfKind {
  ErrorKind kind;
  int status;
};

// platform.claude.com/docs/en/api/errors, apart from `api`
constexpr std::array<StatusOfKind, 10> kStatuses = {{
    {ErrorKind::invalid_request, 400},
    {ErrorKind::authentication, 401},
    {ErrorKind::billing, 402},
    {ErrorKind::permission, 403},
    {ErrorKind::not_found, 404},
    {ErrorKind::request_too_large, 413},
    {ErrorKind::rate_limit, 429},
    {ErrorKind::api, 502},
    {ErrorKind::timeout, 504},
    {ErrorKind::overloaded, 529},
}};

// As it stands in a stream: the words for the kinds are the writer's.
std::string error_data(ErrorKind kind, std::string message) {
  std::string event;
  AnthropicWriter(0, ContentFilter::refusal).write(turn::FailMessage{kind, std::move(message)}, event);
  event.erase(0, kErrorHead.size());
  while (!event.empty() && event.back() == '\n') event.pop_back();
  return event;
}

std::string type_in(std::string_view data) {
  const wire::JsonDocument document(data, kDepth);
  return document.root()["error"]["type"].text();
}

}  // namespace

Answer messages_error(ErrorKind kind, std::string message) {
  const auto row = std::find_if(kStatuses.begin(), kStatuses.end(),
                                [&](const StatusOfKind& known) { return known.kind == kind; });
  return {row->status, error_data(kind, std::move(message))};
}

std::optional<Answer> messages_lone_error(std::string_view events) {
  if (!events.starts_with(kErrorHead)) return std::nullopt;
  events.remove_prefix(kErrorHead.size());
  Answer answer;
  answer.body = events.substr(0, events.find('\n'));
  const std::string type = type_in(answer.body);
  answer.status = 502;
  for (const StatusOfKind& row : kStatuses) {
    if (type == type_in(error_data(row.kind, {}))) answer.status = row.status;
  }
  return answer;
}

}  // namespace splitproof::proxy::dialect
