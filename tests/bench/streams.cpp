#include "tests/bench/streams.hpp"

#include <fmt/format.h>

#include <string_view>

namespace splitproof::bench {
namespace {

// Escaped pieces. The arguments are for a tool with a list of texts.
constexpr std::string_view kWords = R"(The tide \u201cturns\u201d, \nquietly)";
constexpr std::string_view kArguments = R"(\"the harbour of Leith\",)";
constexpr std::string_view kArgumentsBegin = R"({\"places\":[)";
constexpr std::string_view kArgumentsEnd = R"(\"Oban\"]})";
constexpr std::string_view kCall = R"({\"place\":\"Leith\"})";

std::string_view piece_of(Kind kind) {
  return kind == Kind::text ? kWords : kind == Kind::letters ? std::string_view("a") : kArguments;
}

// Writes the parts of an answer in one protocol.
struct Dialect {
  virtual ~Dialect() = default;
  virtual void begin() = 0;
  virtual void open(std::size_t block, bool call) = 0;
  virtual void say(std::size_t block, bool call, std::string_view piece) = 0;
  virtual void close(std::size_t block, bool call, std::string_view whole) = 0;
  virtual void end(bool called) = 0;
  std::string body;
};

struct Anthropic : Dialect {
  void event(std::string_view name, std::string_view rest) {
    body += fmt::format("event: {}\ndata: {{\"type\":\"{}\"{}}}\n\n", name, name, rest);
  }
  void begin() override {
    event(
        "message_start",
        R"(,"message":{"id":"msg_bench01","type":"message","role":"assistant","model":"fable-large","content":[],)"
        R"("stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":1}})");
  }
  void open(std::size_t block, bool call) override {
    event(
        "content_block_start",
        call
            ? fmt::format(
                  R"(,"index":{},"content_block":{{"type":"tool_use","id":"toolu_{}","name":"read","input":{{}}}})",
                  block, block)
            : fmt::format(R"(,"index":{},"content_block":{{"type":"text","text":""}})", block));
  }
  void say(std::size_t block, bool call, std::string_view piece) override {
    event("content_block_delta",
          fmt::format(R"(,"index":{},"delta":{{"type":"{}","{}":"{}"}})", block,
                      call ? "input_json_delta" : "text_delta", call ? "partial_json" : "text", piece));
  }
  void close(std::size_t block, bool, std::string_view) override {
    event("content_block_stop", fmt::format(R"(,"index":{})", block));
  }
  void end(bool called) override {
    event("message_delta",
          fmt::format(R"(,"delta":{{"stop_reason":"{}","stop_sequence":null}},"usage":{{"output_tokens":9}})",
                      called ? "tool_use" : "end_turn"));
    event("message_stop", "");
  }
};

struct Chat : Dialect {
  void chunk(std::string_view delta, std::string_view finish = "null") {
    body += fmt::format(
        R"(data: {{"id":"chatcmpl-bench01","object":"chat.completion.chunk","created":1790000000,"model":"ferry-mini",)"
        R"("system_fingerprint":"fp_0","choices":[{{"index":0,"delta":{{{}}},"logprobs":null,"finish_reason":{}}}]}})",
        delta, finish);
    body += "\n\n";
  }
  void begin() override { chunk(R"("role":"assistant","content":null)"); }
  void open(std::size_t block, bool call) override {
    if (!call) return;
    chunk(fmt::format(
        R"("tool_calls":[{{"index":{},"id":"call_{}","type":"function","function":{{"name":"read","arguments":""}}}}])",
        block, block));
  }
  void say(std::size_t block, bool call, std::string_view piece) override {
    chunk(call ? fmt::format(R"("tool_calls":[{{"index":{},"function":{{"arguments":"{}"}}}}])", block, piece)
               : fmt::format(R"("content":"{}")", piece));
  }
  void close(std::size_t, bool, std::string_view) override {}
  void end(bool called) override {
    chunk("", called ? "\"tool_calls\"" : "\"stop\"");
    body += "data: [DONE]\n\n";
  }
};

struct Responses : Dialect {
  std::string output;
  std::size_t number = 0;

  void event(std::string_view name, std::string_view rest) {
    body += fmt::format("event: {}\ndata: {{\"type\":\"{}\"{},\"sequence_number\":{}}}\n\n", name, name, rest,
                        number++);
  }
  void response(std::string_view name, std::string_view status) {
    event(name,
          fmt::format(R"(,"response":{{"id":"resp_bench01","object":"response","created_at":1790000000,)"
                      R"("instructions":null,"metadata":{{}},"parallel_tool_calls":true,"temperature":1,)"
                      R"("tool_choice":"auto","tools":[],"top_p":1,)"
                      R"("status":"{}","error":null,"incomplete_details":null,"model":"lock-mini",)"
                      R"("output":[{}],"usage":null}})",
                      status, output));
  }
  static std::string item(std::size_t block, bool call, std::string_view status, std::string_view whole) {
    if (call) {
      return fmt::format(
          R"({{"id":"fc_{}","type":"function_call","status":"{}","call_id":"call_{}","name":"read","arguments":"{}"}})",
          block, status, block, whole);
    }
    return fmt::format(
        R"({{"id":"msg_{}","type":"message","status":"{}","role":"assistant","content":[{}]}})", block,
        status, status == "completed" ? part(whole) : "");
  }
  static std::string part(std::string_view text) {
    return fmt::format(R"({{"type":"output_text","text":"{}","annotations":[]}})", text);
  }
  static std::string place(std::size_t block, bool call) {
    return call ? fmt::format(R"(,"item_id":"fc_{}","output_index":{})", block, block)
                : fmt::format(R"(,"item_id":"msg_{}","output_index":{},"content_index":0)", block, block);
  }
  void begin() override {
    response("response.created", "in_progress");
    response("response.in_progress", "in_progress");
  }
  void open(std::size_t block, bool call) override {
    event("response.output_item.added",
          fmt::format(R"(,"output_index":{},"item":{})", block, item(block, call, "in_progress", "")));
    if (call) return;
    event("response.content_part.added", place(block, call) + fmt::format(R"(,"part":{})", part("")));
  }
  void say(std::size_t block, bool call, std::string_view piece) override {
    event(call ? "response.function_call_arguments.delta" : "response.output_text.delta",
          place(block, call) + fmt::format(R"(,"delta":"{}")", piece));
  }
  void close(std::size_t block, bool call, std::string_view whole) override {
    if (call) {
      event("response.function_call_arguments.done",
            place(block, call) + fmt::format(R"(,"arguments":"{}")", whole));
    } else {
      event("response.output_text.done", place(block, call) + fmt::format(R"(,"text":"{}")", whole));
      event("response.content_part.done", place(block, call) + fmt::format(R"(,"part":{})", part(whole)));
    }
    const std::string done = item(block, call, "completed", whole);
    event("response.output_item.done", fmt::format(R"(,"output_index":{},"item":{})", block, done));
    output += (output.empty() ? "" : ",") + done;
  }
  void end(bool) override { response("response.completed", "completed"); }
};

bool is_call(Kind kind) { return kind == Kind::arguments || kind == Kind::calls; }

std::string told(Dialect& dialect, Kind kind, std::size_t size) {
  std::size_t blocks = 0;
  dialect.begin();
  const auto block = [&](Kind of, std::size_t until) {
    const bool call = is_call(of);
    std::string whole;
    const auto say = [&](std::string_view piece) {
      dialect.say(blocks, call, piece);
      whole += piece;
    };
    dialect.open(blocks, call);
    if (of == Kind::arguments) say(kArgumentsBegin);
    do say(of == Kind::calls ? kCall : piece_of(of));
    while (dialect.body.size() < until);
    if (of == Kind::arguments) say(kArgumentsEnd);
    dialect.close(blocks++, call, whole);
  };
  if (kind == Kind::call_then_text) {
    block(Kind::arguments, size / 2);
    block(Kind::text, size);
  } else {
    do block(kind, kind == Kind::calls ? 0 : size);
    while (dialect.body.size() < size);
  }
  dialect.end(is_call(kind) || kind == Kind::call_then_text);
  return std::move(dialect.body);
}

}  // namespace

const std::vector<std::string> kProtocols = {"anthropic.messages", "openai.chat", "openai.responses"};

const char* name(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "text in pieces";
    case Kind::letters:
      return "text in letters";
    case Kind::arguments:
      return "a call's arguments";
    case Kind::calls:
      return "many short calls";
    case Kind::call_then_text:
      return "a call, then text";
  }
  return "";
}

std::string stream_of(const std::string& protocol, Kind kind, std::size_t size) {
  if (protocol == "openai.chat") {
    Chat chat;
    return told(chat, kind, size);
  }
  if (protocol == "openai.responses") {
    Responses responses;
    return told(responses, kind, size);
  }
  Anthropic anthropic;
  return told(anthropic, kind, size);
}

}  // namespace splitproof::bench
