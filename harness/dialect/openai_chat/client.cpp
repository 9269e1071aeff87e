#include "harness/dialect/openai_chat/client.hpp"

#include <nlohmann/json.hpp>

#include "harness/dialect/json_events.hpp"
#include "harness/dialect/openai_chat/reading.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

// Returns the choices that also apply to a client's reading. Calls in text and text removal were handled
// before.
observe::Choices heard(const observe::Choices& choices) {
  observe::Choices heard;
  heard.reroute_think_tags = choices.reroute_think_tags;
  return heard;
}

class ChatMeter final : public ProgressMeter {
 public:
  explicit ChatMeter(const observe::Choices& choices)
      : reading_(choices.same_index_new_id), count_(heard(choices)) {}

  void take(const observe::SseEvent& event) override {
    if (!event.terminated) return;
    reading_.take(event);
    told_ = count_.after(reading_.so_far());
  }
  observe::Due told() const override { return told_; }
  bool over() const override { return reading_.so_far().done || reading_.so_far().error; }

 private:
  ChatReading reading_;
  observe::FlushRequirement count_;
  observe::Due told_;
};

bool says_something(const json& value) {
  return (value.is_string() || value.is_array() || value.is_object()) && !value.empty() && value != "";
}

}  // namespace

observe::Answer ChatClient::assemble(observe::EventStream& stream) const {
  ChatReading reading;
  observe::Answer answer = read(reading, stream);
  answer.shapes.clear();  // they describe the chunks
  answer.begun.clear();
  return answer;
}

std::map<std::string, std::string> ChatClient::notes(observe::EventStream& stream) const {
  ChatReading reading;
  return read(reading, stream).extra;
}

observe::NormalisedAnswer ChatClient::side(observe::EventStream& stream) const {
  ChatReading reading;
  const observe::Answer answer = read(reading, stream);
  observe::NormalisedAnswer side = observe::side_of(answer);
  side.error = side.error || (stream.message_end() == observe::MessageEnd::cut && !answer.done);
  side.any_end = side.finish.is_null() && !side.error;
  return side;
}

std::unique_ptr<ProgressMeter> ChatClient::meter(const observe::Choices& choices) const {
  return std::make_unique<ChatMeter>(choices);
}

EventMarks marks_of_chat(const observe::Event& event) {
  EventMarks marks;
  marks.success = event.data == kDoneMark && event.terminated;
  if (marks.success || !event.json) return marks;
  marks.error = says_something(member(*event.json, "error"));
  const json& choices = member(*event.json, "choices");
  if (!choices.is_array()) return marks;
  for (const json& choice : choices) {
    const json& delta = member(choice, "delta");
    for (const char* voice : {"content", "reasoning_content", "reasoning", "refusal", "tool_calls"})
      marks.output = marks.output || says_something(member(delta, voice));
    marks.success = marks.success || member(choice, "finish_reason").is_string();
  }
  return marks;
}

std::string ChatClient::added_text(const json& event) const {
  std::string text;
  const json& choices = member(event, "choices");
  if (!choices.is_array()) return text;
  for (const json& choice : choices) text += string_at(member(choice, "delta"), "content");
  return text;
}

std::string ChatClient::lone_error(int status) const {
  return R"(data: {"error":{"message":"An HTTP status.","code":)" + std::to_string(status) + "}}\n\n";
}

// Token counts are sent only if the request asks for them.
observe::ClientCapabilities ChatClient::carries(const json* request) const {
  const bool counts =
      request == nullptr || member(member(*request, "stream_options"), "include_usage") == json(true);
  return {.accepts_id = observe::is_any_id, .filter = true, .usage = counts, .order = false, .losses = {}};
}

json ChatClient::request(const Wants& wants) const {
  json request = {{"model", "any"}, {"messages", user_turn()}, {"stream", true}};
  request["stream_options"] = {{"include_usage", true}};
  json& messages = request["messages"];
  if (!wants.system.empty())
    messages.insert(messages.begin(), json{{"role", "system"}, {"content", wants.system}});
  for (const WantedTool& tool : wants.tools) {
    request["tools"].push_back(
        {{"type", "function"},
         {"function",
          {{"name", tool.name}, {"description", description_of(tool)}, {"parameters", schema_of(tool)}}}});
  }
  return request;
}

std::string refusal_of_openai(int status) {
  const auto type = [&]() -> const char* {
    switch (status) {
      case 401:
        return "authentication_error";
      case 403:
        return "permission_error";
      case 404:
        return "not_found_error";
      case 429:
        return "rate_limit_error";
      default:
        return status < 500 ? "invalid_request_error" : "server_error";
    }
  };
  return R"({"error":{"message":"this upstream answers )" + std::to_string(status) +
         R"( on purpose","type":")" + type() + R"(","param":null,"code":null}})";
}

}  // namespace splitproof::dialect
