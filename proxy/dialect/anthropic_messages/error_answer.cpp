#include <cstddef>

#include "proxy/dialect/anthropic_messages/answer.hpp"
#include "proxy/dialect/anthropic_messages/errors.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {
namespace {

constexpr std::string_view kErrorHead = "event: error\ndata: ";
constexpr std::size_t kDepth = 128;

}  // namespace

Answer messages_error(turn::ErrorKind kind, std::string_view message) {
  return {messages_error_status(kind), messages_error_json(kind, message)};
}

Answer messages_refused(const request::Refusal& refusal) {
  Answer answer = messages_error(turn::ErrorKind::invalid_request, refusal.message);
  constexpr std::string_view kEnd = "}}";
  if (!refusal.details.empty())
    answer.body.insert(answer.body.size() - kEnd.size(), ",\"details\":" + refusal.details);
  return answer;
}

bool is_messages_error(std::string_view body) {
  const wire::JsonDocument document(body, kDepth);
  return is_messages_error(document.root());
}

std::optional<Answer> messages_lone_error(std::string_view events) {
  if (!events.starts_with(kErrorHead)) return std::nullopt;
  events.remove_prefix(kErrorHead.size());
  Answer answer;
  answer.body = events.substr(0, events.find('\n'));
  const wire::JsonDocument document(answer.body, kDepth);
  answer.status = messages_error_status(kind_of_messages_error(document.root()["error"]));
  return answer;
}

}  // namespace splitproof::proxy::dialect
