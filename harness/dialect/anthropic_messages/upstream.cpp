#include "harness/dialect/anthropic_messages/upstream.hpp"

#include "harness/dialect/anthropic_messages/reading.hpp"
#include "harness/dialect/anthropic_messages/shapes.hpp"

namespace splitproof::dialect {

std::unique_ptr<AnswerReader> AnthropicUpstream::reader(const observe::Choices&) const {
  return std::make_unique<AnthropicReading>();
}

std::vector<std::string_view> AnthropicUpstream::shapes() const {
  std::vector<std::string_view> names;
  for (const AnthropicShapeEntry& entry : kAnthropicShapes) names.push_back(entry.name);
  return names;
}

std::vector<std::string> AnthropicUpstream::tiny_answer() const {
  const auto event = [](const std::string& type, const std::string& members) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + members + "}\n\n";
  };
  return {event("message_start",
                R"(,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],)"
                R"("stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":4,"output_tokens":1}})"),
          event("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})"),
          event("content_block_delta", R"(,"index":0,"delta":{"type":"text_delta","text":"Ebb"})"),
          event("content_block_stop", R"(,"index":0)"),
          event("message_delta",
                R"(,"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1})"),
          event("message_stop", "")};
}

}  // namespace splitproof::dialect
