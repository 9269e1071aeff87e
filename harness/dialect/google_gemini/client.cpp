#include "harness/dialect/google_gemini/client.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/google_gemini/client_reading.hpp"
#include "harness/dialect/google_gemini/reading.hpp"
#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::PartKind;
using Side = observe::NormalisedAnswer;

constexpr int kFirstServerStatus = 500;

std::string_view status_word_of(int status) {
  switch (status) {
    case 401:
      return "UNAUTHENTICATED";
    case 403:
      return "PERMISSION_DENIED";
    case 404:
      return "NOT_FOUND";
    case 429:
      return "RESOURCE_EXHAUSTED";
    case 503:
      return "UNAVAILABLE";
    case 504:
      return "DEADLINE_EXCEEDED";
    default:
      return status < kFirstServerStatus ? "INVALID_ARGUMENT" : "INTERNAL";
  }
}

GeminiClientReading client_reading_of(observe::EventStream& stream) {
  GeminiClientReading reading;
  observe::for_each_event(stream, [&](const observe::Event& event) {
    if (event.terminated && event.json) reading.take(event.data);
    return !reading.error();
  });
  return reading;
}

class GeminiMeter final : public ProgressMeter {
 public:
  void take(const observe::SseEvent& event) override {
    if (!event.terminated || event.ill_formed_at) return;
    reading_.take(event.data);
  }
  observe::Due told() const override { return reading_.told(); }
  // A call in pieces without its end makes the reason worthless: only the end of the body shows the failure.
  bool over() const override { return (reading_.finish() && !reading_.in_pieces()) || reading_.error(); }

 private:
  GeminiClientReading reading_;
};

// Calls `take` with each part of the answer in a frame.
template <class Take>
void for_each_told_part(const json& frame, const Take& take) {
  const json& candidates = member(frame, "candidates");
  if (!candidates.is_array()) return;
  for (const json& candidate : candidates) {
    const json& parts = member(member(candidate, "content"), "parts");
    if (!parts.is_array()) continue;
    for (const json& part : parts) take(part);
  }
}

}  // namespace

observe::Answer GeminiClient::assemble(observe::EventStream& stream) const {
  return client_reading_of(stream).answer();
}

Side GeminiClient::side(observe::EventStream& stream) const {
  const GeminiClientReading reading = client_reading_of(stream);
  observe::Answer answer = reading.answer();
  answer.parts.clear();
  Side side = observe::side_of(answer);
  for (const GeminiRun& run : reading.runs()) {
    const observe::Part& part = run.part;
    if (part.kind == PartKind::text) side.add_prose(Side::Kind::text, part.text, {});
    if (part.kind == PartKind::thinking) side.add_prose(Side::Kind::thinking, part.text, {});
    if (part.kind == PartKind::call) side.add_call(observe::call_of(part.id, part.name, part.arguments));
    if (part.kind == PartKind::other) side.add_other({{"part", part.text}});
    for (const std::string& signature : run.signatures)
      side.add_other({{"thoughtSignature", signature}, {"on", observe::kind_of(part)}});
  }
  side.run_each_call();
  const bool failed = answer.finish && answer.finish->kind == observe::FinishKind::breakdown;
  side.error = side.error || failed || stream.message_end() == observe::MessageEnd::cut;
  side.any_end = side.finish.is_null() && !side.error;
  return side;
}

std::map<std::string, std::string> GeminiClient::notes(observe::EventStream& stream) const {
  GeminiReading reading;
  const observe::Answer answer = read(reading, stream);
  std::map<std::string, std::string> notes = answer.extra;
  for (std::size_t i = 0; i < answer.parts.size(); ++i)
    if (const observe::Part& part = answer.parts[i]; part.kind == PartKind::other)
      notes["the members of part " + std::to_string(i)] = part.type + " " + part.text;
  return notes;
}

std::unique_ptr<ProgressMeter> GeminiClient::meter(const observe::Choices& /*choices*/) const {
  return std::make_unique<GeminiMeter>();
}

EventMarks marks_of_gemini(const observe::Event& event) {
  EventMarks marks;
  if (!event.json) return marks;
  const json& error = member(*event.json, "error");
  marks.error = !error.is_null();
  for_each_told_part(*event.json, [&](const json& part) {
    marks.output =
        marks.output || !string_at(part, "text").empty() || member(part, "functionCall").is_object();
  });
  const json& candidates = member(*event.json, "candidates");
  if (!candidates.is_array()) return marks;
  for (const json& candidate : candidates)
    marks.success = marks.success || !string_at(candidate, "finishReason").empty();
  return marks;
}

std::string GeminiClient::added_text(const json& event) const {
  std::string text;
  for_each_told_part(event, [&](const json& part) {
    text += string_at(part, "text");
    const json& args = member(member(part, "functionCall"), "args");
    if (!args.is_null()) text += written(args);
  });
  return text;
}

std::string GeminiClient::lone_error(int status) const {
  const json error = {{"code", status}, {"message", "An HTTP status."}, {"status", status_word_of(status)}};
  return "data: " + json{{"error", error}}.dump() + "\n\n";
}

observe::ClientCapabilities GeminiClient::carries(const json* /*request*/) const {
  observe::ClientCapabilities carries;
  carries.accepts_id = observe::is_any_id;
  carries.filter = true;
  carries.calls = false;
  carries.whole_calls = true;
  carries.losses = {{"refusal", observe::LossPolicy::text}};
  return carries;
}

json GeminiClient::request(const Wants& wants) const {
  const std::string question = user_turn()[0]["content"];
  json request = {{"model", "any"},
                  {"contents", json::array({text_message(message_form(), "user", {question})})},
                  {"stream", true}};
  if (!wants.system.empty())
    request["systemInstruction"]["parts"] = json::array({json{{"text", wants.system}}});
  json functions = json::array();
  for (const WantedTool& tool : wants.tools)
    functions.push_back({{"name", tool.name},
                         {"description", description_of(tool)},
                         {"parametersJsonSchema", schema_of(tool)}});
  if (!functions.empty()) request["tools"] = json::array({json{{"functionDeclarations", functions}}});
  if (wants.thinking) request["generationConfig"]["thinkingConfig"]["includeThoughts"] = true;
  return request;
}

ClientCall GeminiClient::call(const std::string& path, const json& request) const {
  const bool whole = member(request, "stream") == false;
  json body = request;
  body.erase("model");
  body.erase("stream");
  return {path + "/" + string_at(request, "model") +
              (whole ? ":generateContent" : ":streamGenerateContent?alt=sse"),
          written(body)};
}

// An answer in one piece has the form of a frame.
std::string GeminiClient::as_stream(const json& whole) const {
  if (!whole.is_object()) return "";
  const bool is_answer =
      whole.contains("candidates") || whole.contains("promptFeedback") || whole.contains("error");
  return is_answer ? "data: " + written(whole) + "\n\n" : "";
}

}  // namespace splitproof::dialect
