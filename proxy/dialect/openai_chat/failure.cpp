#include "proxy/dialect/openai_chat/failure.hpp"

#include <utility>
#include <variant>

#include "proxy/dialect/finish_word.hpp"
#include "proxy/dialect/openai_chat/chunk.hpp"
#include "proxy/dialect/openai_failure.hpp"
#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;
using wire::JsonKind;

// False for a null or empty error: some providers send one with a good answer.
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

// MiniMax reports errors so, also in streams of status 200. Status 0 is success.
std::optional<turn::Failure> find_base_failure(const Json& base) {
  const std::string status = scalar_of(base["status_code"]);
  if (status.empty() || status == "0") return std::nullopt;
  std::string message = scalar_of(base["status_msg"]);
  if (message.empty()) message = "the upstream reported the error " + status;
  return turn::Failure{turn::ErrorKind::api, shortened(std::move(message))};
}

}  // namespace

std::optional<turn::Failure> find_failure(const Json& chunk, bool named_error, bool is_choice) {
  const bool has_choices = is_choice || chunk["choices"].is(JsonKind::array);
  const Json error = chunk["error"];
  if (says_something(error, has_choices)) return openai_failure(error);
  const Json stopped = chunk["x_groq"]["error"];  // Why Groq stopped the stream early.
  if (says_something(stopped, true)) return openai_failure(stopped);
  if (auto failure = find_base_failure(chunk["base_resp"])) return failure;
  if (named_error) return openai_failure(chunk);
  if (has_choices) return std::nullopt;
  const bool whole = scalar_of(chunk["object"]) == "error" || scalar_of(chunk["type"]) == "error" ||
                     (!scalar_of(chunk["code"]).empty() && !scalar_of(chunk["message"]).empty());
  return whole ? std::optional(openai_failure(chunk)) : std::nullopt;
}

std::optional<turn::Failure> find_breakdown(const std::string& finish) {
  turn::Event said = finish_of(kChat, finish);
  auto* failure = std::get_if<turn::Failure>(&said);
  return failure == nullptr ? std::nullopt : std::optional(std::move(*failure));
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
