#include "harness/dialect/openai_chat/error.hpp"

#include "harness/dialect/error_words.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;

bool can_report(const observe::WireJson& error) {
  return error.is(Kind::string) || error.is(Kind::object) || error.is(Kind::array);
}

bool is_empty(const observe::WireJson& error) { return error.text.empty() && error.children.empty(); }

/// Returns an error's text, or its `message` or `detail`, or those of its first element.
std::string message_of(const observe::WireJson& error) {
  if (!error.text.empty()) return observe::replace_surrogates(error.text);
  for (const char* key : {"message", "detail"}) {
    if (!error.at(key).string().empty()) return observe::replace_surrogates(error.at(key).string());
  }
  if (error.is(Kind::array) && !error.children.empty()) return message_of(error.children.front());
  return "the provider reported an error";
}

ReportedError reported(const observe::WireJson& error) {
  const bool first = error.is(Kind::array) && !error.children.empty();
  return {message_of(error), classes_of_error(first ? error.children.front() : error)};
}

/// The error of Groq's `x_groq`, which says why a stream was stopped early.
std::optional<ReportedError> error_in_x_groq(const observe::WireJson& holder) {
  const observe::WireJson& error = holder.at("x_groq").at("error");
  if (!can_report(error) || is_empty(error)) return std::nullopt;
  return reported(error);
}

/// The error of MiniMax's `base_resp`: its `status_code` is another number than 0.
std::optional<ReportedError> error_in_base_resp(const observe::WireJson& holder) {
  const observe::WireJson& base = holder.at("base_resp");
  const observe::WireJson& code = base.at("status_code");
  const std::string_view digits = code.is(Kind::number) ? code.raw : code.string();
  if (digits.empty() || digits.find_first_not_of("0") == digits.npos) return std::nullopt;
  const std::string said = observe::replace_surrogates(base.at("status_msg").string());
  return ReportedError{said.empty() ? "the provider reported an error" : said, classes_of_error(base)};
}

}  // namespace

std::optional<ReportedError> error_in(const observe::WireJson& holder) {
  const observe::WireJson& error = holder.at("error");
  if (can_report(error) && !is_empty(error)) return reported(error);
  const auto of_groq = error_in_x_groq(holder);
  return of_groq ? of_groq : error_in_base_resp(holder);
}

std::optional<ReportedError> error_instead_of_choices(const observe::WireJson& chunk) {
  if (chunk.at("choices").is(Kind::array)) return std::nullopt;
  const observe::WireJson& code = chunk.at("code");
  const bool coded =
      (code.is(Kind::number) || !code.string().empty()) && !chunk.at("message").string().empty();
  const bool marked = chunk.at("object").string() == "error" || chunk.at("type").string() == "error";
  if (!coded && !marked && !can_report(chunk.at("error"))) return std::nullopt;
  return reported(chunk);
}

std::optional<ReportedError> error_of_document(const observe::WireJson& document) {
  if (document.at("choices").is(Kind::array)) return error_in_base_resp(document);
  return error_of_event(document);
}

ReportedError error_of_event(const observe::WireJson& chunk) {
  if (const auto error = error_in(chunk)) return *error;
  return reported(chunk);
}

}  // namespace splitproof::dialect
