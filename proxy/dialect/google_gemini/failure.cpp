#include "proxy/dialect/google_gemini/failure.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;
using wire::Json;

struct KnownError {
  std::string_view status;  // in google.rpc.Code
  std::string_view code;    // as an HTTP status
  ErrorKind kind;
};

constexpr std::array<KnownError, 11> kKnownErrors = {{
    {"RESOURCE_EXHAUSTED", "429", ErrorKind::rate_limit},
    {"UNAVAILABLE", "503", ErrorKind::overloaded},
    {"INVALID_ARGUMENT", "400", ErrorKind::invalid_request},
    {"FAILED_PRECONDITION", "", ErrorKind::invalid_request},
    {"OUT_OF_RANGE", "", ErrorKind::invalid_request},
    {"UNAUTHENTICATED", "401", ErrorKind::authentication},
    {"PERMISSION_DENIED", "403", ErrorKind::permission},
    {"NOT_FOUND", "404", ErrorKind::not_found},
    {"INTERNAL", "500", ErrorKind::api},
    {"DEADLINE_EXCEEDED", "504", ErrorKind::api},
    {"", "413", ErrorKind::request_too_large},
}};

ErrorKind kind_of(const Json& error) {
  const std::string status = scalar_of(error["status"]);
  const std::string code = scalar_of(error["code"]);
  const auto same_status = [&](const KnownError& known) { return !status.empty() && known.status == status; };
  const auto same_code = [&](const KnownError& known) { return !code.empty() && known.code == code; };
  auto known = std::find_if(kKnownErrors.begin(), kKnownErrors.end(), same_status);
  if (known == kKnownErrors.end()) known = std::find_if(kKnownErrors.begin(), kKnownErrors.end(), same_code);
  return known == kKnownErrors.end() ? ErrorKind::api : known->kind;
}

}  // namespace

turn::Failure google_failure(const Json& error) {
  return {kind_of(error), message_of(error), shortened(scalar_of(error["status"]))};
}

}  // namespace splitproof::proxy::dialect
