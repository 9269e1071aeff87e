#include "proxy/dialect/openai_chat/failure.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;
using wire::Json;
using wire::JsonKind;

// Reasons by which a provider says that generation broke down.
constexpr std::array<std::string_view, 4> kBreakdowns = {"error", "network_error",
                                                         "insufficient_system_resource", "abort"};

struct Sign {
  std::string_view word;
  ErrorKind kind;
};

// Read in this order: "insufficient_quota" under status 429 is about money, not about pace.
constexpr std::array<Sign, 26> kSigns = {{
    {"insufficient_quota", ErrorKind::billing},
    {"billing", ErrorKind::billing},
    {"402", ErrorKind::billing},
    {"overloaded", ErrorKind::overloaded},
    {"529", ErrorKind::overloaded},
    {"503", ErrorKind::overloaded},
    {"rate_limit", ErrorKind::rate_limit},
    {"ratelimit", ErrorKind::rate_limit},
    {"too_many_requests", ErrorKind::rate_limit},
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
    {"bad_request", ErrorKind::invalid_request},
    {"400", ErrorKind::invalid_request},
    {"422", ErrorKind::invalid_request},
}};

ErrorKind kind_of(const Json& error) {
  std::string signs = " ";
  for (const char* key : {"code", "type", "status", "status_code"}) signs += scalar_of(error[key]) + " ";
  std::transform(signs.begin(), signs.end(), signs.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Sign& sign : kSigns) {
    const bool number =
        std::isdigit(static_cast<unsigned char>(sign.word.front())) != 0;  // "429", not "14290"
    const std::string word = number ? " " + std::string(sign.word) + " " : std::string(sign.word);
    if (signs.find(word) != std::string::npos) return sign.kind;
  }
  return ErrorKind::api;
}

turn::Failure failure_of(const Json& error) {
  return {kind_of(error), message_of(error), shortened(scalar_of(error["code"]))};
}

// Some write an empty error, or none at all, beside a good answer.
bool says_something(const Json& error, bool beside_choices) {
  switch (error.kind()) {
    case JsonKind::string:
      return !beside_choices || error.raw() != "\"\"";
    case JsonKind::array:
    case JsonKind::object:
      return !beside_choices || !error.empty();
    default:
      return false;
  }
}

}  // namespace

std::optional<turn::Failure> find_failure(const Json& chunk, bool named_error, bool is_choice) {
  const bool has_choices = is_choice || chunk["choices"].is(JsonKind::array);
  const Json error = chunk["error"];
  if (says_something(error, has_choices)) return failure_of(error);
  if (named_error) return failure_of(chunk);
  if (has_choices) return std::nullopt;
  const bool whole = scalar_of(chunk["object"]) == "error" || scalar_of(chunk["type"]) == "error" ||
                     (!scalar_of(chunk["code"]).empty() && !scalar_of(chunk["message"]).empty());
  return whole ? std::optional(failure_of(chunk)) : std::nullopt;
}

std::optional<turn::Failure> find_breakdown(const std::string& finish) {
  if (std::find(kBreakdowns.begin(), kBreakdowns.end(), finish) == kBreakdowns.end()) return std::nullopt;
  return turn::Failure{ErrorKind::api, "the upstream broke off: " + finish};
}

bool is_chat_error(const Json& error) {
  const auto is_text = [](const Json& value) {
    return !value || value.is(JsonKind::null) || value.is(JsonKind::string);
  };
  const Json code = error["code"];
  return !error["message"].text().empty() && is_text(error["type"]) &&
         (is_text(code) || code.is(JsonKind::number));
}

}  // namespace splitproof::proxy::dialect
