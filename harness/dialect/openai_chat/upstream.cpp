#include "harness/dialect/openai_chat/upstream.hpp"

namespace splitproof::dialect {

std::unique_ptr<AnswerReader> ChatUpstream::reader(const observe::Choices& choices) const {
  return std::make_unique<ChatReading>(choices.same_index_new_id);
}

std::vector<std::string_view> ChatUpstream::shapes() const {
  std::vector<std::string_view> names;
  for (const ChatShapeEntry& entry : kChatShapes) names.push_back(entry.name);
  return names;
}

std::vector<std::string> ChatUpstream::tiny_answer() const {
  const std::string head =
      R"(data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",)";
  return {
      head + R"("choices":[{"index":0,"delta":{"role":"assistant","content":"Ebb"},"finish_reason":null}]})" +
          "\n\n",
      head + R"("choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})" + "\n\n",
      head + R"("choices":[],"usage":{"prompt_tokens":4,"completion_tokens":1,"total_tokens":5}})" + "\n\n",
      "data: [DONE]\n\n"};
}

}  // namespace splitproof::dialect
