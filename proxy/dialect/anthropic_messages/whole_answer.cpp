#include <limits>
#include <string>
#include <vector>

#include "proxy/dialect/anthropic_messages/answer.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;

// The translator has applied the limits already.
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max() / 2;

// Returns the text between a JSON string's quotes.
std::string_view between_quotes(const Json& string) {
  const std::string_view raw = string.raw();
  return raw.size() < 2 ? std::string_view() : raw.substr(1, raw.size() - 2);
}

struct AnswerBlock {
  std::string type;
  std::string id;         // of a call, as JSON
  std::string name;       // of a call, as JSON
  std::string text;       // text, thinking or sealed data: escaped
  std::string signature;  // escaped
  std::string input;      // of a call: the joined pieces
};

class MessageAssembly {
 public:
  void take(const std::string& type, const Json& data) {
    if (type == "message_start") {
      const Json message = data["message"];
      head_ = "{\"id\":" + std::string(message["id"].raw()) +
              ",\"type\":\"message\",\"role\":\"assistant\",\"model\":" + std::string(message["model"].raw());
      take_usage(message["usage"]);
    } else if (type == "content_block_start") {
      const Json block = data["content_block"];
      blocks_.push_back({block["type"].text(),
                         std::string(block["id"].raw()),
                         std::string(block["name"].raw()),
                         std::string(between_quotes(block["data"])),
                         {},
                         {}});
    } else if (type == "content_block_delta") {
      take_delta(data["delta"]);
    } else if (type == "message_delta") {
      const Json delta = data["delta"];
      tail_ = ",\"stop_reason\":" + std::string(delta["stop_reason"].raw()) +
              ",\"stop_sequence\":" + std::string(delta["stop_sequence"].raw());
      take_usage(data["usage"]);
    } else if (type == "message_stop") {
      stopped_ = true;
    }
  }

  bool stopped() const { return stopped_; }

  std::string message() const {
    std::string json = head_ + ",\"content\":[";
    bool first = true;
    const bool called = tail_.find("\"stop_reason\":\"tool_use\"") != std::string::npos;
    for (const AnswerBlock& block : blocks_) {
      const std::string text = json_of(block, !called && &block == &blocks_.back());
      if (text.empty()) continue;
      if (!first) json += ",";
      json += text;
      first = false;
    }
    json += "]" + tail_ + ",\"usage\":{";
    first = true;
    for (const Count& count : usage_) {
      if (count.json.empty()) continue;
      json.append(first ? "\"" : ",\"").append(count.name).append("\":").append(count.json);
      first = false;
    }
    return json + "}}";
  }

 private:
  struct Count {
    std::string_view name;
    std::string json;
  };

  void take_delta(const Json& delta) {
    if (blocks_.empty()) return;
    AnswerBlock& block = blocks_.back();  // the ledger has one open at a time
    block.text += between_quotes(delta["text"]);
    block.text += between_quotes(delta["thinking"]);
    block.signature += between_quotes(delta["signature"]);
    block.input += delta["partial_json"].text();
  }

  // Usage at the end of the message replaces usage at its start.
  void take_usage(const Json& usage) {
    for (Count& count : usage_) {
      if (const Json value = usage[count.name]) count.json = value.raw();
    }
  }

  // Returns empty for a call whose arguments were cut off. An empty last call is ambiguous unless the message ends with
  // its calls.
  static std::string json_of(const AnswerBlock& block, bool cut) {
    if (block.type == "text") return "{\"type\":\"text\",\"text\":\"" + block.text + "\"}";
    if (block.type == "thinking") {
      return "{\"type\":\"thinking\",\"thinking\":\"" + block.text + "\",\"signature\":\"" + block.signature +
             "\"}";
    }
    if (block.type == "redacted_thinking")
      return "{\"type\":\"redacted_thinking\",\"data\":\"" + block.text + "\"}";
    const bool blank = block.input.find_first_not_of(" \t\r\n") == std::string::npos;
    if (blank && cut) return {};
    const std::string input = blank ? "{}" : block.input;
    if (wire::check_json(input, kNoLimit) != wire::JsonFault::none) return {};
    return "{\"type\":\"tool_use\",\"id\":" + block.id + ",\"name\":" + block.name + ",\"input\":" + input +
           "}";
  }

  std::string head_;
  std::vector<AnswerBlock> blocks_;
  std::string tail_;
  std::vector<Count> usage_ = {{"input_tokens", {}},
                               {"cache_creation_input_tokens", {}},
                               {"cache_read_input_tokens", {}},
                               {"output_tokens", {}}};
  bool stopped_ = false;
};

}  // namespace

Answer messages_whole_answer(std::string_view events) {
  std::vector<wire::Frame> frames;
  wire::SseReader reader(kNoLimit);
  reader.feed(events, frames);
  MessageAssembly assembly;
  for (const wire::Frame& frame : frames) {
    if (frame.event == "error") return *messages_lone_error("event: error\ndata: " + frame.data + "\n\n");
    const wire::JsonDocument document(frame.data, kNoLimit);
    assembly.take(frame.event, document.root());
  }
  if (!assembly.stopped())
    return messages_error(turn::ErrorKind::api, "the upstream stream ended before the message did");
  return {200, assembly.message()};
}

}  // namespace splitproof::proxy::dialect
