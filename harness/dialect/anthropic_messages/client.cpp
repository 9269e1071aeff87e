#include "harness/dialect/anthropic_messages/client.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/anthropic_messages/client_runs.hpp"
#include "harness/dialect/anthropic_messages/message.hpp"
#include "harness/dialect/anthropic_messages/reading.hpp"
#include "harness/dialect/error_words.hpp"
#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

/// Returns the error type for a status.
std::string type_of_status(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 402:
      return "billing_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 529:
      return "overloaded_error";
    case 504:
      return "timeout_error";
    default:
      return status < 500 ? "invalid_request_error" : "api_error";
  }
}

std::size_t length_at(const json& object, const char* key) { return string_at(object, key).size(); }

class AnthropicMeter final : public ProgressMeter {
 public:
  void take(const observe::SseEvent& sse) override {
    if (!sse.terminated || sse.ill_formed_at) return;
    const auto parsed = parse_strict_json(sse.data);
    if (!parsed || !(*parsed)->is_object()) return;
    const json& event = **parsed;
    const std::string type = string_at(event, "type");
    if (type == "content_block_start") {
      const json& block = member(event, "content_block");
      told_.calls += string_at(block, "type") == "tool_use" ? 1 : 0;
      told_.prose += length_at(block, "text") + length_at(block, "thinking");
    }
    if (type == "content_block_delta") {
      const json& delta = member(event, "delta");
      told_.prose += length_at(delta, "text") + length_at(delta, "thinking");
      told_.arguments += length_at(delta, "partial_json");
    }
    over_ = over_ || type == "message_stop" || type == "error";
  }
  observe::Due told() const override { return told_; }
  bool over() const override { return over_; }

 private:
  observe::Due told_;
  bool over_ = false;
};

/// Returns a block that is neither text, thinking nor a call. `block` is its start as JSON.
json other_of(const std::string& block, const std::string& arguments) {
  return {{"block", block}, {"input", observe::input_of(arguments)}};
}

}  // namespace

observe::Answer AnthropicClient::assemble(observe::EventStream& stream) const {
  return answer_of(assemble_anthropic_message(stream));
}

observe::NormalisedAnswer AnthropicClient::side(observe::EventStream& stream) const {
  const AnthropicMessage message = assemble_anthropic_message(stream);
  observe::NormalisedAnswer side;
  for (const MessageBlock& block : message.blocks) {
    switch (block.kind()) {
      case BlockKind::text:
        side.add_prose(observe::NormalisedAnswer::Kind::text, block.text, {});
        for (const std::string& citation : block.citations) side.add_other({{"citation", citation}});
        break;
      case BlockKind::thinking:
        side.add_prose(observe::NormalisedAnswer::Kind::thinking, block.text, block.signature);
        break;
      case BlockKind::tool_use:
        side.add_call(observe::call_of(block.id, block.name, block.arguments));
        break;
      case BlockKind::other:
        side.add_other(other_of(block.text, block.arguments));
        break;
    }
  }
  for (const ClientRun& run : client_runs(stream))
    side.runs.push_back({run.name, observe::input_of(run.arguments)});
  if (message.stop_reason) side.finish = observe::finish_word(finish_reason(*message.stop_reason));
  if (message.stop_reason == "stop_sequence") side.finish = name(observe::Finish::stop_text);
  const bool cut = stream.message_end() == observe::MessageEnd::cut && !message.stopped;
  side.error = message.error.has_value() || cut;
  if (message.error) side.error_classes = classes_of_error({message.error->type});
  side.any_end = side.finish.is_null() && !side.error;
  if (message.usage.input) side.input = *message.usage.input;
  if (message.usage.output) side.output = *message.usage.output;
  if (message.usage.cache_read) side.cached = *message.usage.cache_read;
  if (message.usage.cache_write) side.written = *message.usage.cache_write;
  if (message.usage.thinking) side.reasoning = *message.usage.thinking;
  return side;
}

std::map<std::string, std::string> AnthropicClient::notes(observe::EventStream& stream) const {
  AnthropicReading reading;
  return read(reading, stream).extra;
}

std::unique_ptr<ProgressMeter> AnthropicClient::meter(const observe::Choices& /*choices*/) const {
  return std::make_unique<AnthropicMeter>();
}

EventMarks marks_of_anthropic(const observe::Event& event) {
  if (!event.json) return {};
  const std::string type = text_of(member(*event.json, "type"));
  const bool tool =
      type == "content_block_start" &&
      text_of(member(member(*event.json, "content_block"), "type")).find("tool_use") != std::string::npos;
  return {type == "content_block_delta" || tool, type == "message_stop", type == "error"};
}

std::string AnthropicClient::added_text(const json& event) const {
  const json& delta = member(event, "delta");
  return string_at(delta, "text") + string_at(delta, "thinking") + string_at(delta, "partial_json");
}

observe::ClientCapabilities AnthropicClient::carries(const json* /*request*/) const {
  observe::ClientCapabilities carries{.stop_text = true};
  carries.sealed_block = [](std::string_view data) {
    return other_of(json{{"type", "redacted_thinking"}, {"data", data}}.dump(), {}).dump();
  };
  return carries;
}

json AnthropicClient::request(const Wants& wants) const {
  constexpr int kMaxTokens = 4096;
  constexpr int kThinkingTokens = 1024;  // the API's minimum
  json request = {{"model", "any"}, {"max_tokens", kMaxTokens}, {"messages", user_turn()}, {"stream", true}};
  if (!wants.system.empty()) request["system"].push_back({{"type", "text"}, {"text", wants.system}});
  for (const WantedTool& tool : wants.tools)
    request["tools"].push_back(
        {{"name", tool.name}, {"description", description_of(tool)}, {"input_schema", schema_of(tool)}});
  if (wants.thinking) request["thinking"] = {{"type", "enabled"}, {"budget_tokens", kThinkingTokens}};
  return request;
}

std::string AnthropicClient::lone_error(int status) const {
  return R"(event: error
data: {"type":"error","error":{"type":")" +
         type_of_status(status) + R"(","message":"An HTTP status."}}

)";
}

std::string refusal_of_anthropic(int status) {
  return R"({"type":"error","error":{"message":"this upstream answers )" + std::to_string(status) +
         R"( on purpose","type":")" + type_of_status(status) + R"("}})";
}

}  // namespace splitproof::dialect
