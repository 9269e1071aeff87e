#include "proxy/dialect/openai_failure.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "proxy/dialect/reported.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;
using wire::Json;

struct Sign {
  std::string_view word;
  ErrorKind kind;
};

// The order matters: "insufficient_quota" under status 429 is about money, not about pace.
constexpr std::array<Sign, 34> kSigns = {{
    {"insufficient_quota", ErrorKind::billing},
    {"billing", ErrorKind::billing},
    {"402", ErrorKind::billing},
    {"overloaded", ErrorKind::overloaded},
    {"529", ErrorKind::overloaded},
    {"unavailable", ErrorKind::overloaded},
    {"slow_down", ErrorKind::overloaded},
    {"503", ErrorKind::overloaded},
    {"rate_limit", ErrorKind::rate_limit},
    {"ratelimit", ErrorKind::rate_limit},
    {"too_many_requests", ErrorKind::rate_limit},
    {"resource_exhausted", ErrorKind::rate_limit},
    {"throttling", ErrorKind::rate_limit},
    {"429", ErrorKind::rate_limit},
    {"timeout", ErrorKind::timeout},
    {"408", ErrorKind::timeout},
    {"504", ErrorKind::timeout},
    {"authentication", ErrorKind::authentication},
    {"invalid_api_key", ErrorKind::authentication},
    {"401", ErrorKind::authentication},
    {"permission", ErrorKind::permission},
    {"403", ErrorKind::permission},
    {"not_found", ErrorKind::not_found},
    {"404", ErrorKind::not_found},
    {"too_large", ErrorKind::request_too_large},
    {"413", ErrorKind::request_too_large},
    {"invalid_request", ErrorKind::invalid_request},
    {"invalid_prompt", ErrorKind::invalid_request},
    {"context_length", ErrorKind::invalid_request},
    {"bad_request", ErrorKind::invalid_request},
    {"badrequest", ErrorKind::invalid_request},
    {"invalid_argument", ErrorKind::invalid_request},
    {"400", ErrorKind::invalid_request},
    {"422", ErrorKind::invalid_request},
}};

ErrorKind kind_of(const Json& error) {
  std::string signs = " ";
  for (const char* key : {"code", "type", "status", "status_code"}) signs += scalar_of(error[key]) + " ";
  signs = wire::lowered(signs);
  for (const Sign& sign : kSigns) {
    const bool number = sign.word.front() >= '0' && sign.word.front() <= '9';  // "429", not "14290"
    const std::string word = number ? " " + std::string(sign.word) + " " : std::string(sign.word);
    if (signs.find(word) != std::string::npos) return sign.kind;
  }
  return ErrorKind::api;
}

}  // namespace

turn::Failure openai_failure(const Json& error) {
  return {kind_of(error), message_of(error), shortened(scalar_of(error["code"]))};
}

}  // namespace splitproof::proxy::dialect
