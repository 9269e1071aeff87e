#include "proxy/server/answer.hpp"

#include <utility>
#include <variant>
#include <vector>

#include "proxy/wire/json.hpp"

namespace splitproof::server {
namespace {

using turn::ErrorKind;

constexpr std::size_t kDepth = 128;

ErrorKind kind_of(int status) {
  switch (status) {
    case 401:
      return ErrorKind::authentication;
    case 402:
      return ErrorKind::billing;
    case 403:
      return ErrorKind::permission;
    case 404:
      return ErrorKind::not_found;
    case 408:
    case 504:
      return ErrorKind::timeout;
    case 413:
      return ErrorKind::request_too_large;
    case 429:
      return ErrorKind::rate_limit;
    case 424:  // the upstream's own upstream failed
      return ErrorKind::api;
    case 503:
    case 529:
      return ErrorKind::overloaded;
    default:
      return status >= 400 && status < 500 ? ErrorKind::invalid_request : ErrorKind::api;
  }
}

}  // namespace

Answer upstream_error(const TranslatorOptions& options, int status, std::string_view body,
                      std::string retry_after, std::string error_type) {
  if (options.relays() && options.client->is_error(body))
    return {status, std::string(body), std::move(retry_after)};
  ErrorKind kind = kind_of(status);
  std::string message = "the upstream answered with status " + std::to_string(status);
  const wire::JsonDocument document(body, kDepth);
  // Some upstreams send the error as the only element of an array.
  const wire::Json error =
      document.root().is(wire::JsonKind::array) ? document.root().first() : document.root();
  if (error.is(wire::JsonKind::object)) {
    wire::Frame frame;
    frame.event = "error";
    frame.error = std::move(error_type);
    frame.data = error.raw();
    std::vector<turn::Event> events;
    auto reader = options.upstream->reader({}, {});
    std::visit([&](auto& reading) { reading.read(frame, events); }, reader);
    const auto* failure = events.empty() ? nullptr : std::get_if<turn::Failure>(&events.back());
    if (failure != nullptr) {
      message = failure->message;
      text::clean_error(options.cleaning, message);
      // Providers report a used-up account with the status of too many requests.
      const bool named = !frame.error.empty() && failure->kind != ErrorKind::api;
      if (kind == ErrorKind::api || failure->kind == ErrorKind::billing || named) kind = failure->kind;
    }
  }
  Answer answer = options.client->error(kind, std::move(message));
  if (kind == ErrorKind::api && status >= 500 && status < 600) options.client->set_status(answer, status);
  answer.retry_after = std::move(retry_after);
  return answer;
}

}  // namespace splitproof::server
