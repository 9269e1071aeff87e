#include "harness/dialect/google_gemini/upstream.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/dialect/google_gemini/reading.hpp"
#include "harness/dialect/google_gemini/shapes.hpp"
#include "harness/framing.hpp"

namespace splitproof::dialect {
namespace {

constexpr std::string_view kEventEnd = "\r\n\r\n";

/// Returns a frame with these parts and the rest of its candidate.
std::string gemini_event(const std::string& parts, const std::string& rest, std::string_view counts) {
  return R"(data: {"candidates": [{"content": {"parts": [)" + parts + R"(],"role": "model"})" + rest +
         R"(,"index": 0}],)" + std::string(counts) + R"("modelVersion": "m","responseId": "r-1"})" +
         std::string(kEventEnd);
}

constexpr std::string_view kTinyCounts =
    R"("usageMetadata": {"promptTokenCount": 4,"candidatesTokenCount": 1,"totalTokenCount": 5},)";

}  // namespace

std::unique_ptr<AnswerReader> GeminiUpstream::reader(const observe::Choices&) const {
  return std::make_unique<GeminiReading>();
}

std::vector<std::string_view> GeminiUpstream::shapes() const {
  std::vector<std::string_view> names;
  for (const GeminiShapeEntry& entry : kGeminiShapes) names.push_back(entry.name);
  return names;
}

std::vector<std::string> GeminiUpstream::tiny_answer() const {
  return {gemini_event(R"({"text": ")" + std::string(kTinyText) + R"("})", "", {}),
          gemini_event(R"({"text": ""})", R"(,"finishReason": "STOP")", kTinyCounts)};
}

std::string GeminiUpstream::other_form(std::string_view target, std::string_view body) const {
  constexpr std::string_view kEvents = "alt=sse";
  const std::size_t end = std::min(target.find('?'), target.size());
  if (!target.substr(0, end).ends_with(":streamGenerateContent")) return {};
  std::string_view query = target.substr(end);
  bool asks_for_events = false;
  while (!query.empty() && !asks_for_events) {
    query.remove_prefix(1);
    const std::size_t next = std::min(query.find('&'), query.size());
    asks_for_events = query.substr(0, next) == kEvents;
    query.remove_prefix(next);
  }
  const bool is_array = framing_of(Framing::sse_or_array, body) == Framing::json_array;
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  const bool is_document = first == body.npos || body[first] == '{';
  if (is_array && asks_for_events)
    return "the target asked for events (alt=sse), and the recording is a JSON array";
  if (!is_array && !is_document && !asks_for_events)
    return "the target asked for a JSON array (without alt=sse), and the recording is events";
  return {};
}

std::string GeminiUpstream::stream_of_many(Many what, std::size_t count, std::size_t first) const {
  std::string body;
  if (what == Many::choices) return body;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(first + i);
    if (what == Many::calls)
      body += gemini_event(R"({"functionCall": {"name": ")" + std::string(kManyTool) + R"(","args": {"n": )" +
                               number + R"(},"id": "call_)" + number + R"("}})",
                           "", {});
    if (what == Many::blocks)
      body += gemini_event(
          R"({"text": "thought )" + number + R"(","thought": true},{"text": "text )" + number + R"("})", "",
          {});
  }
  return body + gemini_event(R"({"text": ""})", R"(,"finishReason": "STOP")", kTinyCounts);
}

std::string refusal_of_gemini(int status) {
  using Row = std::pair<int, std::string_view>;
  constexpr std::array<Row, 8> kWords = {Row{400, "INVALID_ARGUMENT"},   Row{401, "UNAUTHENTICATED"},
                                         Row{403, "PERMISSION_DENIED"},  Row{404, "NOT_FOUND"},
                                         Row{429, "RESOURCE_EXHAUSTED"}, Row{500, "INTERNAL"},
                                         Row{503, "UNAVAILABLE"},        Row{504, "DEADLINE_EXCEEDED"}};
  std::string word = status < 500 ? "INVALID_ARGUMENT" : "INTERNAL";
  for (const auto& [of, known] : kWords)
    if (of == status) word = known;
  const std::string code = std::to_string(status);
  return R"({"error": {"code": )" + code + R"(,"message": "the server answers )" + code + R"(","status": ")" +
         word + R"("}})";
}

}  // namespace splitproof::dialect
