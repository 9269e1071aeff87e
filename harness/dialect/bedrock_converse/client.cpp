#include "harness/dialect/bedrock_converse/client.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/aws_document.hpp"
#include "harness/aws_frame.hpp"
#include "harness/dialect/bedrock_converse/asked.hpp"
#include "harness/dialect/bedrock_converse/client_reading.hpp"
#include "harness/dialect/bedrock_converse/reading.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/asked_meaning.hpp"
#include "harness/observe/documents.hpp"
#include "harness/recording/base64.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::PartKind;
using Side = observe::NormalisedAnswer;

// Returns the exception for a status (Amazon Bedrock, ConverseStreamOutput).
std::string_view exception_of(int status) {
  switch (status) {
    case 429:
      return "throttlingException";
    case 503:
      return "serviceUnavailableException";
    default:
      return status < 500 ? "validationException" : "internalServerException";
  }
}

std::string event_frame(std::string_view type, const json& payload) {
  return write_aws_frame({{":event-type", kAwsText, std::string(type)},
                          {":content-type", kAwsText, "application/json"},
                          {":message-type", kAwsText, "event"}},
                         written(payload));
}

std::string exception_frame(std::string_view type, std::string_view message) {
  return write_aws_frame({{":exception-type", kAwsText, std::string(type)},
                          {":content-type", kAwsText, "application/json"},
                          {":message-type", kAwsText, "exception"}},
                         written(json{{"message", message}}));
}

ConverseClientReading converse_reading_of(observe::EventStream& stream) {
  ConverseClientReading reading;
  observe::for_each_event(stream, [&](const observe::Event& event) {
    if (event.terminated && event.json) reading.take(event.data);
    return !reading.error();
  });
  return reading;
}

class ConverseMeter final : public ProgressMeter {
 public:
  void take(const observe::SseEvent& frame) override {
    if (frame.terminated && frame.broken.empty() && !frame.ill_formed_at) reading_.take(document_of(frame));
  }
  observe::Due told() const override { return reading_.told(); }
  bool over() const override { return reading_.stopped() || reading_.error(); }

 private:
  ConverseClientReading reading_;
};

// The member is base64, and so is most sealed data. Other data has to be encoded.
std::string sealed_block(std::string_view data) {
  const bool is_base64 = recording::from_base64(data).has_value();
  return written(json{{"redactedContent", is_base64 ? std::string(data) : recording::to_base64(data)}});
}

// Calls `frame` with the events of a block of a whole answer.
template <class Frame>
void deal_block(const json& block, std::size_t index, const Frame& frame) {
  const auto delta = [&](const json& of) {
    frame("contentBlockDelta", json{{"contentBlockIndex", index}, {"delta", of}});
  };
  const json& call = member(block, "toolUse");
  const json& thought = member(member(block, "reasoningContent"), "reasoningText");
  if (call.is_object()) {
    frame("contentBlockStart",
          json{{"contentBlockIndex", index},
               {"start",
                {{"toolUse", {{"toolUseId", member(call, "toolUseId")}, {"name", member(call, "name")}}}}}});
    delta({{"toolUse", {{"input", written(member(call, "input"))}}}});
  } else if (thought.is_object()) {
    for (const char* part : {"text", "signature"})
      if (!string_at(thought, part).empty()) delta({{"reasoningContent", {{part, member(thought, part)}}}});
  } else {
    delta(block);
  }
  frame("contentBlockStop", json{{"contentBlockIndex", index}});
}

}  // namespace

observe::Answer ConverseClient::assemble(observe::EventStream& stream) const {
  return converse_reading_of(stream).answer();
}

Side ConverseClient::side(observe::EventStream& stream) const {
  const ConverseClientReading reading = converse_reading_of(stream);
  observe::Answer answer = reading.answer();
  answer.parts.clear();
  Side side = observe::side_of(answer);
  for (const ConverseBlock& block : reading.blocks()) {
    const observe::Part& part = block.part;
    if (part.kind == PartKind::text) side.add_prose(Side::Kind::text, part.text, {});
    if (part.kind == PartKind::thinking) side.add_prose(Side::Kind::thinking, part.text, part.signature);
    if (part.kind == PartKind::call) side.add_call(observe::call_of(part.id, part.name, part.arguments));
    if (part.kind == PartKind::other) side.add_other(json::parse(sealed_block(part.text)));
  }
  side.run_each_call();
  if (answer.finish && answer.finish->word == "stop_sequence") side.finish = name(observe::Finish::stop_text);
  const bool failed = answer.finish && answer.finish->kind == observe::FinishKind::breakdown;
  side.error = side.error || failed || stream.message_end() == observe::MessageEnd::cut;
  side.any_end = side.finish.is_null() && !side.error;
  return side;
}

std::map<std::string, std::string> ConverseClient::notes(observe::EventStream& stream) const {
  ConverseReading reading;
  observe::for_each_event(stream, [&](const observe::Event& event) {
    const auto bytes = event.terminated ? frame_of_aws_document(event.data) : std::nullopt;
    if (!bytes) return true;
    const ReadAwsFrame read = read_aws_frame(*bytes);
    observe::SseEvent frame;
    frame.headers = read.frame.headers;
    frame.event = string_at(event.json ? *event.json : json(), ":event-type");
    frame.data = bytes->substr(read.frame.payload_begin, bytes->size() - kAwsCrc - read.frame.payload_begin);
    reading.take(frame);
    return true;
  });
  return reading.finished().extra;
}

std::unique_ptr<ProgressMeter> ConverseClient::meter(const observe::Choices& /*choices*/) const {
  return std::make_unique<ConverseMeter>();
}

EventMarks marks_of_converse(const observe::Event& event) {
  if (!event.json) return {};
  const std::string message = string_at(*event.json, ":message-type");
  const std::string type = string_at(*event.json, ":event-type");
  const bool call = type == "contentBlockStart" && member(*event.json, "start").contains("toolUse");
  return {type == "contentBlockDelta" || call, type == "messageStop",
          message == "exception" || message == "error"};
}

std::string ConverseClient::added_text(const json& event) const {
  const json& delta = member(event, "delta");
  return string_at(delta, "text") + string_at(member(delta, "reasoningContent"), "text") +
         string_at(member(delta, "toolUse"), "input");
}

std::string ConverseClient::lone_error(int status) const {
  return exception_frame(exception_of(status), "An HTTP status.");
}

std::string refusal_of_converse(int status) {
  std::string type(exception_of(status));
  type.front() = static_cast<char>(type.front() - 'a' + 'A');
  return written(
      json{{"__type", type}, {"message", "this upstream answers " + std::to_string(status) + " on purpose"}});
}

observe::ClientCapabilities ConverseClient::carries(const json* /*request*/) const {
  observe::ClientCapabilities carries{.accepts_id = converse_takes_id, .filter = true, .stop_text = true};
  carries.sealed_block = sealed_block;
  return carries;
}

json ConverseClient::request(const Wants& wants) const {
  constexpr int kMaxTokens = 4096;
  constexpr int kThinkingTokens = 1024;  // the least budget of Claude
  const std::string question = user_turn()[0]["content"];
  json request = {{"model", "any"},
                  {"messages", json::array({text_message(message_form(), "user", {question})})},
                  {"stream", true}};
  if (!wants.system.empty()) request["system"] = json::array({json{{"text", wants.system}}});
  for (const WantedTool& tool : wants.tools)
    request["toolConfig"]["tools"].push_back({{"toolSpec",
                                               {{"name", tool.name},
                                                {"description", description_of(tool)},
                                                {"inputSchema", {{"json", schema_of(tool)}}}}}});
  if (wants.thinking) {
    request["inferenceConfig"]["maxTokens"] = kMaxTokens;
    request["additionalModelRequestFields"]["thinking"] = {{"type", "enabled"},
                                                           {"budget_tokens", kThinkingTokens}};
  }
  return request;
}

ClientCall ConverseClient::call(const std::string& path, const json& request) const {
  const bool whole = member(request, "stream") == false;
  json body = request;
  body.erase("model");
  body.erase("stream");
  return {path + "/" + string_at(request, "model") + (whole ? "/converse" : "/converse-stream"),
          written(body)};
}

std::string ConverseClient::as_stream(const json& whole) const {
  const json& content = member(member(member(whole, "output"), "message"), "content");
  if (!content.is_array()) {
    const std::string message = string_at(whole, "message");
    return message.empty() ? "" : exception_frame("internalServerException", message);
  }
  std::string stream = event_frame("messageStart", {{"role", "assistant"}});
  for (std::size_t index = 0; index < content.size(); ++index)
    deal_block(content[index], index,
               [&](std::string_view type, const json& payload) { stream += event_frame(type, payload); });
  stream += event_frame("messageStop", {{"stopReason", member(whole, "stopReason")}});
  return stream +
         event_frame("metadata", {{"usage", member(whole, "usage")}, {"metrics", member(whole, "metrics")}});
}

}  // namespace splitproof::dialect
