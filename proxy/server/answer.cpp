#include "proxy/server/answer.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "proxy/dialect/anthropic_messages/writer.hpp"
#include "proxy/dialect/openai_chat/reader.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::server {
namespace {

using turn::ErrorKind;

constexpr std::string_view kErrorHead = "event: error\ndata: ";
constexpr std::size_t kDepth = 128;
constexpr std::size_t kShortestSecret = 8;

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
  proxy::dialect::AnthropicWriter(0, proxy::dialect::ContentFilter::refusal)
      .write(turn::FailMessage{kind, std::move(message)}, event);
  event.erase(0, kErrorHead.size());
  while (!event.empty() && event.back() == '\n') event.pop_back();
  return event;
}

std::string type_in(std::string_view data) {
  const wire::JsonDocument document(data, kDepth);
  return document.root()["error"]["type"].text();
}

ErrorKind kind_of(int status) {
  if (status == 408) return ErrorKind::timeout;
  if (status == 503) return ErrorKind::overloaded;
  const auto known = std::find_if(kStatuses.begin(), kStatuses.end(),
                                  [&](const StatusOfKind& row) { return row.status == status; });
  if (known != kStatuses.end()) return known->kind;
  return status >= 400 && status < 500 ? ErrorKind::invalid_request : ErrorKind::api;
}

}  // namespace

Answer error_answer(ErrorKind kind, std::string message) {
  Answer answer;
  answer.status = std::find_if(kStatuses.begin(), kStatuses.end(), [&](const StatusOfKind& row) {
                    return row.kind == kind;
                  })->status;
  answer.body = error_data(kind, std::move(message));
  return answer;
}

Answer upstream_error(int status, std::string_view body, std::string retry_after) {
  ErrorKind kind = kind_of(status);
  std::string message = "the upstream answered with status " + std::to_string(status);
  const wire::JsonDocument document(body, kDepth);
  if (document.root().is(wire::JsonKind::object)) {
    wire::Frame frame;
    frame.event = "error";
    frame.data = body;
    std::vector<turn::Event> events;
    proxy::dialect::ChatReader(proxy::dialect::SameIndexNewId::new_call, Limits{}).read(frame, events);
    const auto* failure = events.empty() ? nullptr : std::get_if<turn::Failure>(&events.back());
    if (failure != nullptr) {
      message = failure->message;
      // A used-up account answers with the status of too many requests.
      if (kind == ErrorKind::api || failure->kind == ErrorKind::billing) kind = failure->kind;
    }
  }
  Answer answer = error_answer(kind, std::move(message));
  if (kind == ErrorKind::api && status >= 500 && status < 600) answer.status = status;
  answer.retry_after = std::move(retry_after);
  return answer;
}

std::optional<Answer> lone_error(std::string_view events) {
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

void conceal(Answer& answer, std::string_view secret) {
  if (answer.status < 400 || secret.size() < kShortestSecret) return;
  for (std::size_t at = 0; (at = answer.body.find(secret, at)) != std::string::npos;)
    answer.body.replace(at, secret.size(), "[key]");
}

}  // namespace splitproof::server
