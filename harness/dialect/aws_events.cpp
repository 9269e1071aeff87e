#include "harness/dialect/aws_events.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/observe/finish_words.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/utf8.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::size_t kMaxErrorPayload = std::size_t{1} << 20;

using Kind = observe::WireJson::Kind;

/// Returns the `message` or `Message` of an error's object, or "".
std::string message_in(const observe::WireJson& error) {
  for (const char* key : {"message", "Message"}) {
    const std::string text = observe::replace_surrogates(error.at(key).string());
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace

std::string_view header_of(const observe::SseEvent& frame, std::string_view name) {
  std::string_view value;
  for (const AwsHeader& header : frame.headers)
    if (header.name == name) value = header.type == kAwsText ? std::string_view(header.value) : "";
  return value;
}

bool take_failure(const observe::SseEvent& frame, observe::Answer& answer) {
  if (!frame.broken.empty()) {
    answer.shapes.emplace(kBrokenFrame);
    answer.error = "byte " + std::to_string(frame.begin) + ": " + frame.broken;
    return true;
  }
  const std::string_view message_type = header_of(frame, ":message-type");
  if (message_type.empty() || message_type == "event") return false;
  if (message_type != "exception" && message_type != "error") {
    answer.error = "a message of the type " + decode_utf8(message_type) + " cannot be read";
    return true;
  }
  const std::string type = decode_utf8(header_of(frame, ":exception-type"));
  const std::string code = decode_utf8(header_of(frame, ":error-code"));
  std::string said;
  if (const auto payload = read_json(frame, kMaxErrorPayload)) said = message_in(*payload);
  for (const std::string& other : {decode_utf8(header_of(frame, ":error-message")), type, code})
    if (said.empty()) said = other;
  answer.error_classes = classes_of_error({type, code});
  answer.error = said.empty() ? "the provider reported an error" : std::move(said);
  return true;
}

void take_document(std::string_view body, observe::Answer& answer) {
  const auto document = read_document(body, kMaxErrorPayload);
  if (!document) return;
  const std::string type(document->at("__type").string());
  // A service's name may precede it: com.amazon.coral#ThrottlingException.
  answer.error_classes = classes_of_error({std::string_view(type).substr(type.find('#') + 1)});
  const std::string said = message_in(*document);
  answer.error = said.empty() ? "the body is JSON in place of a stream" : said;
}

void take_finish(std::string_view word, observe::Answer& answer) {
  observe::FinishReason reason = observe::read_finish("aws", observe::replace_surrogates(word));
  const bool cuts = cuts_short(reason.kind);
  if (!answer.finish || (cuts && !cuts_short(answer.finish->kind))) answer.finish = std::move(reason);
}

}  // namespace splitproof::dialect
