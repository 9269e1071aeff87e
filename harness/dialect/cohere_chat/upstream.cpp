#include "harness/dialect/cohere_chat/upstream.hpp"

#include <fmt/format.h>

#include "harness/dialect/cohere_chat/reading.hpp"
#include "harness/dialect/cohere_chat/shapes.hpp"

namespace splitproof::dialect {
namespace {

/// Returns an event with its members after the type.
std::string event_with(std::string_view type, std::string_view members) {
  return fmt::format("event: {0}\ndata: {{\"type\":\"{0}\"{1}}}\n\n", type, members);
}

std::string first_event() {
  return event_with("message-start",
                    R"(,"id":"msg-1","delta":{"message":{"role":"assistant","content":[],"tool_plan":"",)"
                    R"("tool_calls":[],"citations":[]}})");
}

std::string last_event(std::string_view reason) {
  return event_with(
      "message-end",
      fmt::format(R"(,"delta":{{"finish_reason":"{}","usage":{{"billed_units":{{"input_tokens":4,)"
                  R"("output_tokens":1}},"tokens":{{"input_tokens":4,"output_tokens":1}}}}}})",
                  reason));
}

std::string text_block(std::size_t index, std::string_view text) {
  return event_with(
             "content-start",
             fmt::format(R"(,"index":{},"delta":{{"message":{{"content":{{"type":"text","text":""}}}}}})",
                         index)) +
         event_with(
             "content-delta",
             fmt::format(R"(,"index":{},"delta":{{"message":{{"content":{{"text":"{}"}}}}}})", index, text)) +
         event_with("content-end", fmt::format(R"(,"index":{})", index));
}

std::string call_block(std::size_t index, std::size_t id) {
  return event_with("tool-call-start",
                    fmt::format(R"(,"index":{},"delta":{{"message":{{"tool_calls":{{"id":"{}_{}",)"
                                R"("type":"function","function":{{"name":"{}","arguments":""}}}}}}}})",
                                index, kManyTool, id, kManyTool)) +
         event_with("tool-call-delta",
                    fmt::format(R"(,"index":{},"delta":{{"message":{{"tool_calls":{{"function":)"
                                R"({{"arguments":"{{}}"}}}}}}}})",
                                index)) +
         event_with("tool-call-end", fmt::format(R"(,"index":{})", index));
}

}  // namespace

std::unique_ptr<AnswerReader> CohereUpstream::reader(const observe::Choices&) const {
  return std::make_unique<CohereReading>();
}

std::vector<std::string_view> CohereUpstream::shapes() const {
  std::vector<std::string_view> names;
  for (const CohereShapeEntry& entry : kCohereShapes) names.push_back(entry.name);
  return names;
}

std::vector<std::string> CohereUpstream::tiny_answer() const {
  return {first_event(), text_block(0, kTinyText), last_event("COMPLETE")};
}

std::string CohereUpstream::stream_of_many(Many what, std::size_t count, std::size_t first) const {
  if (what == Many::choices) return {};
  const bool is_call = what == Many::calls;
  std::string body = first_event();
  for (std::size_t i = 0; i < count; ++i) body += is_call ? call_block(i, first + i) : text_block(i, "a");
  return body + last_event(is_call ? "TOOL_CALL" : "COMPLETE");
}

std::string refusal_of_cohere(int status) {
  return fmt::format(R"({{"id":"err-1","message":"the server answers {}"}})", status);
}

}  // namespace splitproof::dialect
