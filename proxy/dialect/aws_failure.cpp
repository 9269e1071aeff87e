#include "proxy/dialect/aws_failure.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/dialect/reported.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;
using wire::Json;

struct Part {
  std::string_view of_name;
  ErrorKind kind;
};

constexpr std::array<Part, 17> kParts = {{
    {"throttl", ErrorKind::rate_limit},
    {"toomanyrequests", ErrorKind::rate_limit},
    {"quota", ErrorKind::rate_limit},
    {"timeout", ErrorKind::timeout},
    {"unavailable", ErrorKind::overloaded},
    {"notready", ErrorKind::overloaded},
    {"insufficientcapacity", ErrorKind::overloaded},
    {"accessdenied", ErrorKind::permission},
    {"expiredtoken", ErrorKind::authentication},
    {"unauthorized", ErrorKind::authentication},
    {"unrecognizedclient", ErrorKind::authentication},
    {"invalidsignature", ErrorKind::authentication},
    {"notfound", ErrorKind::not_found},
    {"toolarge", ErrorKind::request_too_large},
    {"contentlength", ErrorKind::invalid_request},
    {"validation", ErrorKind::invalid_request},
    {"badrequest", ErrorKind::invalid_request},
}};

ErrorKind kind_of(std::string_view name) {
  const std::string lowered = wire::lowered(name);
  const auto part = std::find_if(kParts.begin(), kParts.end(), [&](const Part& known) {
    return lowered.find(known.of_name) != std::string::npos;
  });
  return part == kParts.end() ? ErrorKind::api : part->kind;
}

// Returns the part after '#' of a name such as `com.amazon.coral.service#ThrottlingException`.
std::string name_of(const wire::Frame& frame, const Json& error) {
  std::string name = frame.error.empty() ? scalar_of(error["__type"]) : frame.error;
  if (const std::size_t mark = name.rfind('#'); mark != std::string::npos) name.erase(0, mark + 1);
  return name;
}

}  // namespace

turn::Failure aws_failure(const wire::Frame& frame, const Json& error) {
  std::string name = name_of(frame, error);
  const ErrorKind kind = kind_of(name);
  std::string message = scalar_of(error["Message"]);  // the spelling of some services
  if (message.empty() || !scalar_of(error["message"]).empty()) message = message_of(error);
  return {kind, shortened(std::move(message)), shortened(std::move(name))};
}

}  // namespace splitproof::proxy::dialect
