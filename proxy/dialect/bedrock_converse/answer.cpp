#include "proxy/dialect/bedrock_converse/answer.hpp"

#include <limits>
#include <string>
#include <vector>

#include "proxy/dialect/bedrock_converse/errors.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/event_stream_framer.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::inner;
using wire::Json;
using wire::JsonKind;

// The translator has applied the limits already.
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max() / 2;

class ConverseAssembly {
 public:
  void take(const std::string& type, const Json& event) {
    if (type == "contentBlockStart") {
      const Json call = event["start"]["toolUse"];
      id_ = call["toolUseId"].raw();
      name_ = call["name"].raw();
    } else if (type == "contentBlockDelta") {
      take_delta(event["delta"]);
    } else if (type == "contentBlockStop") {
      end_block();
    } else if (type == "messageStop") {
      reason_ = event["stopReason"].raw();
    } else if (type == "metadata") {
      usage_ = event["usage"].raw();
      metrics_ = event["metrics"].raw();
    }
  }

  bool stopped() const { return !reason_.empty(); }

  std::string object() const {
    return R"({"output":{"message":{"role":"assistant","content":[)" + content_.json +
           R"(]}},"stopReason":)" + reason_ + ",\"usage\":" + usage_ + ",\"metrics\":" + metrics_ + "}";
  }

 private:
  void take_delta(const Json& delta) {
    const Json thought = delta["reasoningContent"];
    const auto add = [](const Json& piece, std::string& text) {
      if (piece.is(JsonKind::string)) text += inner(piece);
    };
    add(delta["text"], text_);
    add(thought["text"], thought_);
    add(thought["signature"], signature_);
    add(thought["redactedContent"], sealed_);
    input_ += delta["toolUse"]["input"].text();
  }

  void end_block() {
    if (!id_.empty()) {
      add_call();
    } else if (!sealed_.empty()) {
      content_.next().append(R"({"reasoningContent":{"redactedContent":")").append(sealed_).append("\"}}");
    } else if (!thought_.empty() || !signature_.empty()) {
      content_.next().append(R"({"reasoningContent":{"reasoningText":{"text":")").append(thought_);
      if (!signature_.empty()) content_.json.append(R"(","signature":")").append(signature_);
      content_.json += "\"}}}";
    } else {
      content_.next().append("{\"text\":\"").append(text_).append("\"}");
    }
    for (std::string* text : {&id_, &name_, &text_, &thought_, &signature_, &sealed_, &input_}) text->clear();
  }

  void add_call() {
    const std::string input = input_.empty() ? "{}" : input_;
    if (wire::check_json(input, kUnlimited) != wire::JsonFault::none) return;
    content_.next().append(R"({"toolUse":{"toolUseId":)").append(id_).append(",\"name\":").append(name_);
    content_.json.append(",\"input\":").append(input).append("}}");
  }

  request::List content_;
  // The open block. Texts are escaped, apart from the arguments of a call.
  std::string id_, name_, text_, thought_, signature_, sealed_, input_;
  std::string reason_;
  std::string usage_ = "{}";
  std::string metrics_ = "{}";
};

}  // namespace

Answer converse_whole_answer(std::string_view stream) {
  std::vector<wire::Frame> frames;
  wire::EventStreamFramer framer(kUnlimited);
  framer.feed(stream, frames);
  ConverseAssembly assembly;
  for (const wire::Frame& frame : frames) {
    const wire::JsonDocument document(frame.data, kUnlimited);
    if (!frame.error.empty()) return converse_exception_answer(frame);
    assembly.take(frame.event, document.root());
  }
  if (!assembly.stopped())
    return converse_error(turn::ErrorKind::api, "the upstream stream ended before the message did");
  return {200, assembly.object()};
}

}  // namespace splitproof::proxy::dialect
