#pragma once

#include <zlib.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace splitproof::cost {

/// Assembles a body of an upstream's protocol. Texts are escaped already.
class Stream {
 public:
  explicit Stream(std::string protocol) : protocol_(std::move(protocol)) {
    if (anthropic())
      event(
          R"({"type":"message_start","message":{"id":"msg","model":"model","content":[],"usage":{"input_tokens":1}}})");
    if (responses()) event(R"({"type":"response.created","response":{"id":"resp","model":"model"}})");
  }

  bool chat() const { return protocol_ == "openai.chat"; }
  bool anthropic() const { return protocol_ == "anthropic.messages" || invoke(); }
  bool responses() const { return protocol_ == "openai.responses"; }
  bool ollama() const { return protocol_ == "ollama.chat"; }
  bool kiro() const { return protocol_ == "kiro.eventstream"; }
  bool gemini() const { return protocol_ == "google.gemini"; }
  bool converse() const { return protocol_ == "bedrock.converse"; }
  bool invoke() const { return protocol_ == "bedrock.invoke"; }
  bool framed() const { return kiro() || converse() || invoke(); }

  void text(const std::string& text) { prose(true, text); }
  void thinking(const std::string& text) { prose(false, text); }

  /// Begins call `k` after all others.
  void begin_call(std::size_t k, const std::string& id, const std::string& name) {
    close();
    const std::string named = R"("id":")" + id + "\",";
    if (chat())
      delta(R"("tool_calls":[{"index":)" + std::to_string(k) + "," + named +
            R"("type":"function","function":{"name":")" + name + R"(","arguments":""}}])");
    if (anthropic()) {
      const std::size_t index = calls_[k] = blocks_++;
      event(R"({"type":"content_block_start","index":)" + std::to_string(index) +
            R"(,"content_block":{"type":"tool_use",)" + named + R"("name":")" + name + R"(","input":{}}})");
    }
    if (responses()) {
      const std::size_t index = calls_[k] = blocks_++;
      item("added", index, R"("type":"function_call","call_id":")" + id + R"(","name":")" + name + "\"");
    }
    if (kiro()) {
      ids_[k] = id;
      event(R"({"toolUseId":")" + id + R"(","name":")" + name + "\"}", "toolUseEvent");
    }
    if (gemini()) part(R"("functionCall":{)" + named + R"("name":")" + name + R"(","willContinue":true})");
    if (converse()) {
      const std::size_t index = calls_[k] = blocks_++;
      event(R"({"contentBlockIndex":)" + std::to_string(index) + R"(,"start":{"toolUse":{"toolUseId":")" +
                id + R"(","name":")" + name + "\"}}}",
            "contentBlockStart");
    }
  }

  void call_piece(std::size_t k, const std::string& piece) {
    const std::string said = "\"" + piece + "\"";
    if (chat())
      delta(R"("tool_calls":[{"index":)" + std::to_string(k) + R"(,"function":{"arguments":)" + said + "}}]");
    if (anthropic())
      event(R"({"type":"content_block_delta","index":)" + std::to_string(calls_[k]) +
            R"(,"delta":{"type":"input_json_delta","partial_json":)" + said + "}}");
    if (responses())
      event(R"({"type":"response.function_call_arguments.delta","item_id":")" + item_id(calls_[k]) +
            R"(","output_index":)" + std::to_string(calls_[k]) + R"(,"delta":)" + said + "}");
    if (kiro()) event(R"({"toolUseId":")" + ids_[k] + R"(","input":)" + said + "}", "toolUseEvent");
    if (gemini())
      part(R"("functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":)" + said +
           R"(,"willContinue":true}],"willContinue":true})");
    if (converse()) block_delta(calls_[k], R"("toolUse":{"input":)" + said + "}");
  }

  void end_call(std::size_t k) {
    if (anthropic()) event(R"({"type":"content_block_stop","index":)" + std::to_string(calls_[k]) + "}");
    if (responses()) item("done", calls_[k], R"("type":"function_call")");
    if (kiro()) event(R"({"toolUseId":")" + ids_[k] + R"(","stop":true})", "toolUseEvent");
    if (gemini()) part(R"("functionCall":{})");
    if (converse()) event(R"({"contentBlockIndex":)" + std::to_string(calls_[k]) + "}", "contentBlockStop");
  }

  /// Adds a whole call; `arguments`, escaped, equals `json`. Without `json` Gemini gets them in pieces.
  void call(std::size_t k, const std::string& id, const std::string& name, const std::string& arguments,
            const std::string& json) {
    if (ollama()) {
      event(R"({"model":"model","message":{"role":"assistant","content":"","tool_calls":[{"id":")" + id +
            R"(","function":{"name":")" + name + R"(","arguments":)" + json + R"(}}]},"done":false})");
      return;
    }
    if (gemini() && !json.empty()) {
      part(R"("functionCall":{"id":")" + id + R"(","name":")" + name + R"(","args":)" + json + "}");
      return;
    }
    begin_call(k, id, name);
    call_piece(k, arguments);
    end_call(k);
  }

  /// Adds one event as JSON; `name` is for the frames of Kiro and Converse.
  void event(const std::string& json, std::string_view name = {}) {
    if (invoke()) return frame("chunk", R"({"bytes":")" + base64(json) + "\"}");
    if (framed()) return frame(name, json);
    if (ollama())
      body_ += json + "\n";
    else
      body_ += "data: " + json + "\n\n";
  }

  /// Adds raw bytes.
  void bytes(std::string_view more) { body_ += more; }

  /// Adds a `delta` of Chat Completions with these members.
  void delta(const std::string& members) {
    event(
        R"({"id":"c","object":"chat.completion.chunk","created":1,"model":"model","choices":[{"index":0,"delta":{)" +
        members + R"(},"finish_reason":null}]})");
  }

  /// Adds a part of Gemini with these members.
  void part(const std::string& members) {
    event(R"({"candidates":[{"content":{"parts":[{)" + members +
          R"(}],"role":"model"}}],"modelVersion":"model"})");
  }

  /// Adds a delta of a block of Converse with this member.
  void block_delta(std::size_t index, const std::string& member) {
    event(R"({"contentBlockIndex":)" + std::to_string(index) + R"(,"delta":{)" + member + "}}",
          "contentBlockDelta");
  }

  void item(std::string_view how, std::size_t index, const std::string& members) {
    event(R"({"type":"response.output_item.)" + std::string(how) + R"(","output_index":)" +
          std::to_string(index) + R"(,"item":{"id":")" + item_id(index) + "\"," + members + "}}");
  }

  static std::string item_id(std::size_t index) { return "item_" + std::to_string(index); }

  /// Ends the open block.
  void close() {
    if (open_ == Open::none) return;
    if (anthropic()) event(R"({"type":"content_block_stop","index":)" + std::to_string(blocks_ - 1) + "}");
    if (converse()) event(R"({"contentBlockIndex":)" + std::to_string(blocks_ - 1) + "}", "contentBlockStop");
    if (responses())
      item("done", blocks_ - 1, open_ == Open::text ? R"("type":"message")" : R"("type":"reasoning")");
    open_ = Open::none;
  }

  std::string body() {
    close();
    if (chat()) {
      event(R"({"id":"c","model":"model","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})");
      body_ += "data: [DONE]\n\n";
    }
    if (anthropic()) {
      event(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}})");
      event(R"({"type":"message_stop"})");
    }
    if (responses()) event(R"({"type":"response.completed","response":{"id":"resp","status":"completed"}})");
    if (ollama()) event(R"({"model":"model","done":true,"done_reason":"stop"})");
    if (kiro()) event(R"({"stopReason":"end_turn"})", "metadataEvent");
    if (gemini()) event(R"({"candidates":[{"finishReason":"STOP"}]})");
    if (converse()) event(R"({"stopReason":"end_turn"})", "messageStop");
    return std::move(body_);
  }

 private:
  enum class Open { none, text, thinking };

  void prose(bool text, const std::string& piece) {
    const std::string said = "\"" + piece + "\"";
    if (chat()) delta((text ? R"("content":)" : R"("reasoning_content":)") + said);
    if (ollama())
      event(R"({"model":"model","message":{"role":"assistant",)" +
            std::string(text ? R"("content":)" : R"("content":"","thinking":)") + said +
            R"(},"done":false})");
    if (kiro())
      text ? event(R"({"content":)" + said + "}", "assistantResponseEvent")
           : event(R"({"text":)" + said + "}", "reasoningContentEvent");
    if (gemini()) part(R"("text":)" + said + (text ? "" : R"(,"thought":true)"));
    if (!anthropic() && !responses() && !converse()) return;
    begin_block(text ? Open::text : Open::thinking);
    if (converse())
      return block_delta(blocks_ - 1,
                         text ? "\"text\":" + said : R"("reasoningContent":{"text":)" + said + "}");
    const std::string index = std::to_string(blocks_ - 1);
    if (anthropic())
      event(R"({"type":"content_block_delta","index":)" + index + R"(,"delta":{"type":)" +
            (text ? R"("text_delta","text":)" : R"("thinking_delta","thinking":)") + said + "}}");
    else
      event((text ? R"({"type":"response.output_text.delta","content_index":0,"item_id":")"
                  : R"({"type":"response.reasoning_summary_text.delta","summary_index":0,"item_id":")") +
            item_id(blocks_ - 1) + R"(","output_index":)" + index + R"(,"delta":)" + said + "}");
  }

  void begin_block(Open kind) {
    if (open_ == kind) return;
    close();
    open_ = kind;
    const std::string index = std::to_string(blocks_);
    const bool text = kind == Open::text;
    if (converse()) {
      // A block begins with its first delta.
    } else if (anthropic()) {
      event(
          R"({"type":"content_block_start","index":)" + index + R"(,"content_block":)" +
          (text ? R"({"type":"text","text":""}})" : R"({"type":"thinking","thinking":"","signature":""}})"));
    } else {
      item("added", blocks_,
           text ? R"("type":"message","content":[])" : R"("type":"reasoning","summary":[])");
      event((text ? R"({"type":"response.content_part.added","content_index":0,)"
                  : R"({"type":"response.reasoning_summary_part.added","summary_index":0,)") +
            (R"("output_index":)" + index) + R"(,"item_id":")" + item_id(blocks_) + R"(","part":)" +
            (text ? R"({"type":"output_text","text":""}})" : R"({"type":"summary_text","text":""}})"));
    }
    ++blocks_;
  }

  static std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
      unsigned group = 0;
      for (std::size_t i = 0; i < 3; ++i)
        group = group << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
      for (std::size_t i = 0; i < 4; ++i)
        text += at + i > bytes.size() ? '=' : kDigits[group >> (18U - 6U * static_cast<unsigned>(i)) & 63U];
    }
    return text;
  }

  static void append_u32(std::string& out, std::size_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xFF);
  }

  static std::size_t crc_of(const std::string& bytes) {
    return crc32(0, reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<uInt>(bytes.size()));
  }

  void frame(std::string_view name, const std::string& payload) {
    std::string headers = std::string(1, '\x0B') + ":event-type" + '\x07';
    headers += '\0';
    headers += static_cast<char>(name.size());
    headers += name;
    std::string all;
    append_u32(all, 16 + headers.size() + payload.size());
    append_u32(all, headers.size());
    append_u32(all, crc_of(all));
    all += headers + payload;
    append_u32(all, crc_of(all));
    body_ += all;
  }

  std::string protocol_;
  std::string body_;
  Open open_ = Open::none;
  std::size_t blocks_ = 0;                    // blocks, or items, so far
  std::map<std::size_t, std::size_t> calls_;  // index of each call's block
  std::map<std::size_t, std::string> ids_;    // of each call
};

}  // namespace splitproof::cost
