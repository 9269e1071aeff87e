#include "proxy/dialect/openai_chat/answer.hpp"

#include <limits>
#include <string>
#include <vector>

#include "proxy/dialect/openai_error.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::inner;
using wire::Json;
using wire::JsonKind;

// The translator has applied the limits already.
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max() / 2;

constexpr std::string_view kErrorHead = "data: {\"error\":";

Answer answer_of(const Json& error) { return openai_error_of(error["code"].text(), error["message"].text()); }

// Texts are escaped.
struct AnswerCall {
  std::string head;       // id, type, and name of its function or tool
  std::string_view text;  // the member with its arguments or input
  std::string arguments;
};

class ChatAssembly {
 public:
  void take(const Json& chunk) {
    if (head_.empty()) {
      head_ = "{\"id\":" + std::string(chunk["id"].raw()) +
              ",\"object\":\"chat.completion\",\"created\":" + std::string(chunk["created"].raw()) +
              ",\"model\":" + std::string(chunk["model"].raw());
    }
    if (const Json usage = chunk["usage"]) usage_ = usage.raw();
    const Json choice = chunk["choices"].first();
    if (!choice) return;
    const Json delta = choice["delta"];
    for (Prose& prose : prose_) {
      const Json piece = delta[prose.name];
      if (!piece) continue;
      prose.said = true;
      prose.text += inner(piece);
    }
    if (const Json call = delta["tool_calls"].first()) take_call(call);
    if (choice["finish_reason"].is(JsonKind::string)) finish_ = choice["finish_reason"].raw();
  }

  bool finished() const { return !finish_.empty(); }

  std::string completion() const {
    std::string message = "{\"role\":\"assistant\"";
    for (const Prose& prose : prose_) {
      if (prose.said)
        message.append(",\"").append(prose.name).append("\":\"").append(prose.text).append("\"");
      else if (prose.always)
        message.append(",\"").append(prose.name).append("\":null");
    }
    std::string calls;
    for (const AnswerCall& call : calls_) {
      calls += (calls.empty() ? "{" : ",{") + call.head + ",\"" + std::string(call.text) + "\":\"" +
               call.arguments + "\"}}";
    }
    if (!calls.empty()) message += ",\"tool_calls\":[" + calls + "]";
    return head_ + ",\"choices\":[{\"index\":0,\"message\":" + message +
           "},\"logprobs\":null,\"finish_reason\":" + finish_ + "}]" +
           (usage_.empty() ? "" : ",\"usage\":" + usage_) + "}";
  }

 private:
  struct Prose {
    const char* name;
    bool always;
    bool said = false;
    std::string text = {};
  };

  void take_call(const Json& piece) {
    const bool custom = static_cast<bool>(piece["custom"]);
    const Json about = piece[custom ? "custom" : "function"];
    const std::size_t number = piece["index"].count().value_or(0);
    if (number >= calls_.size()) calls_.resize(number + 1);
    AnswerCall& call = calls_[number];
    if (const Json id = piece["id"]) {
      call.text = custom ? "input" : "arguments";
      call.head = "\"id\":" + std::string(id.raw()) + ",\"type\":" + std::string(piece["type"].raw()) + "," +
                  (custom ? "\"custom\"" : "\"function\"") + ":{\"name\":" + std::string(about["name"].raw());
    }
    call.arguments += inner(about[call.text]);
  }

  std::string head_;
  std::vector<Prose> prose_ = {{"content", true}, {"refusal", true}, {"reasoning_content", false}};
  std::vector<AnswerCall> calls_;
  std::string finish_;
  std::string usage_;
};

}  // namespace

std::optional<Answer> chat_lone_error(std::string_view events) {
  if (!events.starts_with(kErrorHead)) return std::nullopt;
  events.remove_prefix(std::string_view("data: ").size());
  const wire::JsonDocument document(events.substr(0, events.find('\n')), kNoLimit);
  return answer_of(document.root()["error"]);
}

Answer chat_whole_answer(std::string_view events) {
  std::vector<wire::Frame> frames;
  wire::SseReader reader(kNoLimit);
  reader.feed(events, frames);
  ChatAssembly assembly;
  for (const wire::Frame& frame : frames) {
    const wire::JsonDocument document(frame.data, kNoLimit);
    if (const Json error = document.root()["error"]) return answer_of(error);
    if (document.root()) assembly.take(document.root());
  }
  if (!assembly.finished())
    return openai_error(turn::ErrorKind::api, "the upstream stream ended before the message did");
  return {200, assembly.completion()};
}

}  // namespace splitproof::proxy::dialect
