#include "harness/observe/chat_error.hpp"

#include "harness/observe/half_pairs.hpp"

namespace splitproof::observe {
namespace {

using Kind = WireJson::Kind;

bool can_report(const WireJson& error) {
  return error.is(Kind::string) || error.is(Kind::object) || error.is(Kind::array);
}

bool is_empty(const WireJson& error) { return error.text.empty() && error.children.empty(); }

/// What an error says of itself: its text, or its `message` or `detail`, or those of the first thing in it.
std::string message_of(const WireJson& error) {
  if (!error.text.empty()) return without_halves(error.text);
  for (const char* key : {"message", "detail"}) {
    if (!error.at(key).string().empty()) return without_halves(error.at(key).string());
  }
  if (error.is(Kind::array) && !error.children.empty()) return message_of(error.children.front());
  return "the provider reported an error";
}

}  // namespace

std::optional<std::string> error_in(const WireJson& holder) {
  const WireJson& error = holder.at("error");
  if (!can_report(error) || is_empty(error)) return std::nullopt;
  return message_of(error);
}

std::optional<std::string> error_instead_of_choices(const WireJson& chunk) {
  if (chunk.at("choices").is(Kind::array)) return std::nullopt;
  const WireJson& code = chunk.at("code");
  const bool coded =
      (code.is(Kind::number) || !code.string().empty()) && !chunk.at("message").string().empty();
  const bool marked = chunk.at("object").string() == "error" || chunk.at("type").string() == "error";
  if (!coded && !marked && !can_report(chunk.at("error"))) return std::nullopt;
  return message_of(chunk);
}

std::optional<std::string> error_of_document(const WireJson& document) {
  if (document.at("choices").is(Kind::array)) return std::nullopt;
  return error_of_event(document);
}

std::string error_of_event(const WireJson& chunk) {
  if (const auto error = error_in(chunk)) return *error;
  return message_of(chunk);
}

}  // namespace splitproof::observe
