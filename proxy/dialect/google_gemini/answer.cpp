#include "proxy/dialect/google_gemini/answer.hpp"

#include <limits>
#include <string>
#include <vector>

#include "proxy/dialect/google_gemini/errors.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::inner;
using wire::Json;

// The translator has applied the limits already.
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max() / 2;

class AnswerAssembly {
 public:
  void take(const Json& frame) {
    const Json candidate = frame["candidates"].first();
    take_part(candidate["content"]["parts"].first());
    if (const Json reason = candidate["finishReason"]) reason_ = reason.raw();
    if (const Json usage = frame["usageMetadata"]) usage_ = usage.raw();
    model_ = frame["modelVersion"].raw();
    id_ = frame["responseId"].raw();
  }

  bool finished() const { return !reason_.empty(); }

  std::string object() {
    end_text();
    if (parts_.empty()) parts_ = R"({"text":""})";
    return R"({"candidates":[{"content":{"parts":[)" + parts_ + R"(],"role":"model"},"finishReason":)" +
           reason_ + R"(,"index":0}],"usageMetadata":)" + usage_ + ",\"modelVersion\":" + model_ +
           ",\"responseId\":" + id_ + "}";
  }

 private:
  void take_part(const Json& part) {
    const Json text = part["text"];
    const bool thought = static_cast<bool>(part["thought"]);
    if (!text || thought != thought_) end_text();
    thought_ = thought;
    if (text)
      text_ += inner(text);
    else
      add(part.raw());
  }

  void end_text() {
    if (!text_.empty()) add("{\"text\":\"" + text_ + (thought_ ? "\",\"thought\":true}" : "\"}"));
    text_.clear();
  }

  void add(std::string_view part) { parts_.append(parts_.empty() ? "" : ",").append(part); }

  std::string parts_;
  std::string text_;  // the current run, escaped
  bool thought_ = false;
  std::string reason_;
  std::string usage_;
  std::string model_;
  std::string id_;
};

}  // namespace

Answer gemini_whole_answer(std::string_view events) {
  std::vector<wire::Frame> frames;
  wire::SseReader reader(kNoLimit);
  reader.feed(events, frames);
  AnswerAssembly assembly;
  for (const wire::Frame& frame : frames) {
    const wire::JsonDocument document(frame.data, kNoLimit);
    if (const Json error = document.root()["error"])
      return {static_cast<int>(error["code"].count().value_or(0)), frame.data};
    assembly.take(document.root());
  }
  if (!assembly.finished())
    return gemini_error(turn::ErrorKind::api, "the upstream stream ended before the message did");
  return {200, assembly.object()};
}

}  // namespace splitproof::proxy::dialect
