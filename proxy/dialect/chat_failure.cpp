#include "proxy/dialect/chat_failure.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using turn::ErrorKind;

constexpr std::size_t kMessageBytes = 2000;

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

std::string scalar(const json& object, const char* key) {
  const auto member = object.find(key);
  if (member == object.end()) return {};
  if (member->is_string()) return *member->get_ptr<const std::string*>();
  return member->is_number_integer() ? member->dump() : std::string();
}

ErrorKind kind_of(const json& error) {
  std::string signs = " ";
  for (const char* key : {"code", "type", "status", "status_code"}) signs += scalar(error, key) + " ";
  std::transform(signs.begin(), signs.end(), signs.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Sign& sign : kSigns) {
    const bool number =
        std::isdigit(static_cast<unsigned char>(sign.word.front())) != 0;  // "429", not "14290"
    const std::string word = number ? " " + std::string(sign.word) + " " : std::string(sign.word);
    if (signs.find(word) != std::string::npos) return sign.kind;
  }
  return ErrorKind::api;
}

// Cut at a character, not inside one.
std::string shortened(std::string text) {
  if (text.size() <= kMessageBytes) return text;
  std::size_t end = kMessageBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

turn::Failure failure_of(const json& error) {
  std::string message;
  if (error.is_string()) {
    message = *error.get_ptr<const std::string*>();
  } else if (error.is_object()) {
    message = scalar(error, "message");
    if (message.empty()) message = scalar(error, "detail");
  }
  if (message.empty()) message = "the upstream reported an error";
  return {error.is_object() ? kind_of(error) : ErrorKind::api, shortened(std::move(message))};
}

}  // namespace

std::optional<turn::Failure> find_failure(const json& chunk, bool named_error) {
  const bool has_choices = chunk.contains("choices") || chunk.contains("delta");
  const auto error = chunk.find("error");
  if (error != chunk.end()) {
    // Some write an empty error beside a good answer.
    const bool said = error->is_string() || error->is_structured();
    if (said && *error != "" && !(error->empty() && has_choices)) return failure_of(*error);
  }
  if (named_error) return failure_of(chunk);
  if (has_choices) return std::nullopt;
  const bool whole = scalar(chunk, "object") == "error" || scalar(chunk, "type") == "error" ||
                     (chunk.contains("code") && !scalar(chunk, "message").empty());
  return whole ? std::optional(failure_of(chunk)) : std::nullopt;
}

}  // namespace splitproof::dialect
