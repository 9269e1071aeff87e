#include "proxy/server/refusal.hpp"

#include "proxy/server/upstream_call.hpp"

namespace splitproof::server {
namespace {

using turn::ErrorKind;

constexpr const char* kRetryAfter = "5";  // seconds

}  // namespace

Answer refusal(std::string_view path, const RequestFault& fault) {
  const ErrorKind kind = fault.status == 413   ? ErrorKind::request_too_large
                         : fault.status == 403 ? ErrorKind::permission
                         : fault.status == 408 ? ErrorKind::timeout
                         : fault.status == 529 ? ErrorKind::overloaded
                         : fault.status >= 500 ? ErrorKind::api
                                               : ErrorKind::invalid_request;
  const auto& client = asker(path);
  Answer answer = client.error(kind, fault.message);
  client.set_status(answer, fault.status);
  return answer;
}

Answer no_room(std::string_view path, std::string_view message) {
  Answer answer = asker(path).error(ErrorKind::overloaded, message);
  answer.retry_after = kRetryAfter;
  return answer;
}

}  // namespace splitproof::server
