#include "proxy/dialect/openai_chat/failure.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "proxy/dialect/openai_failure.hpp"
#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;
using wire::JsonKind;

// Reasons by which a provider says that generation broke down.
constexpr std::array<std::string_view, 4> kBreakdowns = {"error", "network_error",
                                                         "insufficient_system_resource", "abort"};

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
  if (says_something(error, has_choices)) return openai_failure(error);
  if (named_error) return openai_failure(chunk);
  if (has_choices) return std::nullopt;
  const bool whole = scalar_of(chunk["object"]) == "error" || scalar_of(chunk["type"]) == "error" ||
                     (!scalar_of(chunk["code"]).empty() && !scalar_of(chunk["message"]).empty());
  return whole ? std::optional(openai_failure(chunk)) : std::nullopt;
}

std::optional<turn::Failure> find_breakdown(const std::string& finish) {
  if (std::find(kBreakdowns.begin(), kBreakdowns.end(), finish) == kBreakdowns.end()) return std::nullopt;
  return turn::Failure{turn::ErrorKind::api, "the upstream broke off: " + finish};
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
