#include "harness/dialect/ollama_chat/upstream.hpp"

#include "harness/dialect/ollama_chat/reading.hpp"
#include "harness/dialect/ollama_chat/shapes.hpp"

namespace splitproof::dialect {

std::unique_ptr<AnswerReader> OllamaUpstream::reader(const observe::Choices&) const {
  return std::make_unique<OllamaReading>();
}

std::vector<std::string_view> OllamaUpstream::shapes() const {
  std::vector<std::string_view> names;
  for (const OllamaShapeEntry& entry : kOllamaShapes) names.push_back(entry.name);
  return names;
}

std::vector<std::string> OllamaUpstream::tiny_answer() const {
  const std::string head =
      R"({"model":"m","created_at":"2026-03-18T06:00:00Z","message":{"role":"assistant",)";
  return {head + R"("content":"Ebb"},"done":false})" + "\n",
          head + R"("content":""},"done":true,"done_reason":"stop","prompt_eval_count":4,"eval_count":1})" +
              "\n"};
}

std::string refusal_of_ollama(int status) {
  return R"({"error":"the server answers )" + std::to_string(status) + R"("})";
}

}  // namespace splitproof::dialect
