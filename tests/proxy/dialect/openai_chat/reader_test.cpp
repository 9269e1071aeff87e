#include "proxy/dialect/openai_chat/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/proxy/dialect/notation.hpp"

namespace splitproof::proxy::dialect::openai_chat::reader_test {
namespace {

std::string read(const wire::Frame& frame, Limits limits = {}) {
  ChatReader reader(SameIndexNewId::new_call, limits);
  std::vector<turn::Event> events;
  reader.read(frame, events);
  return notation(events);
}

std::string read(const std::string& data) { return read(wire::Frame{"", data, true, false}); }

std::string delta(const std::string& members) {
  const std::string read_events = read(R"({"choices":[{"index":0,"delta":{)" + members + "}}]}");
  const std::string begin = "begin()";
  EXPECT_EQ(read_events.substr(0, begin.size()), begin);
  return read_events.substr(std::min(read_events.size(), begin.size() + 1));
}

TEST(ChatReader, TextThinkingRefusal) {
  EXPECT_EQ(delta(R"("role":"assistant","content":"a")"), "text(a)");
  EXPECT_EQ(delta(R"("content":null,"reasoning_content":"t")"), "thinking(t)");
  EXPECT_EQ(delta(R"("content":"a","reasoning":"t")"), "thinking(t) text(a)");
  EXPECT_EQ(delta(R"("reasoning_content":"t","reasoning":"t")"), "thinking(t)");
  EXPECT_EQ(delta(R"("reasoning_content":"","reasoning":"t")"), "thinking(t)");
  EXPECT_EQ(delta(R"("reasoning":"t","reasoning_details":[{"text":"t"}])"), "thinking(t)");
  EXPECT_EQ(delta(R"("reasoning_details":[{"text":"t"},{"summary":"u"},{"data":"x"},3])"),
            "thinking(t) thinking(u)");
  EXPECT_EQ(
      delta(
          R"("content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"},4])"),
      "thinking(t) text(a)");
  EXPECT_EQ(delta(R"("content":[{"type":"thinking","thinking":"t"}])"), "thinking(t)");
  EXPECT_EQ(delta(R"("refusal":"no")"), "refusal(no)");
}

TEST(ChatReader, PartsOfAContent) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {R"({"type":"text","text":"a","citations":[{"url":"u"}]})", "text(a)"},
      {R"({"type":"output_text","text":"a"})", "text(a)"},
      {R"({"type":"refusal","refusal":"no"})", "refusal(no)"},
      {R"({"type":"summary_text","text":"t","signature":"s"})", "thinking(t) last-signature(s)"},
      {R"({"type":"reasoning","summary":[{"type":"summary_text","text":"t","signature":"s"}]})",
       "thinking(t) last-signature(s)"},
      {R"({"type":"reasoning","summary":[{"text":"t"},{"text":"u"}],"text":"x","signature":"s"})",
       "thinking(t) thinking(u) last-signature(s)"},
      {R"({"type":"reasoning","summary":[],"text":"t"})", "thinking(t)"},
      {R"({"type":"thinking","thinking":[{"type":"text","text":"t"},{"type":"reference","reference_ids":[1]}]})",
       "thinking(t)"},
      {R"({"type":"thinking","thinking":"t","signature":"s"})", "thinking(t) last-signature(s)"},
      {R"({"type":"reference","reference_ids":[1]})", ""},
      {R"({"type":"citation","url":"u"})", ""},
      {R"({"citations":[{"url":"u"}]})", ""},
      {R"({"type":null,"citation":"u"})", ""},
      {R"({"type":"tide","text":"a"})", "unplaced(content of an unknown type)"},
      {R"({"text":"a"})", "unplaced(content of an unknown type)"},
      {R"("a")", "unplaced(content of an unknown type)"},
  };
  for (const auto& [part, said] : table) EXPECT_EQ(delta(R"("content":[)" + part + "]"), said) << part;
}

TEST(ChatReader, SignaturesAreReadFromReasoningDetails) {
  EXPECT_EQ(delta(R"("reasoning":"t","reasoning_details":[{"text":"t","signature":"s"}])"),
            "thinking(t) last-signature(s)");
  EXPECT_EQ(delta(R"("content":"","reasoning_details":[{"type":"reasoning.text","signature":"s"}])"),
            "last-signature(s)");
  EXPECT_EQ(delta(R"("reasoning_details":[{"text":"t"},{"signature":"s"},{"signature":null}])"),
            "thinking(t) last-signature(s)");
}

TEST(ChatReader, OddTypesCountAsAbsent) {
  EXPECT_EQ(
      delta(R"("content":5,"reasoning_content":{},"refusal":[],"tool_calls":{"a":1},"function_call":"x")"),
      "");
  EXPECT_EQ(read(R"({"choices":[{"delta":null}],"model":7,"usage":[]})"), "begin()");
  EXPECT_EQ(read(R"({"choices":[5,null,{"index":1,"delta":{"content":"other"}}],"usage":null})"), "");
  EXPECT_EQ(read(R"({"choices":null})"), "");
  EXPECT_EQ(read("{}"), "");
}

TEST(ChatReader, OnlyTheFirstChoiceIsRead) {
  EXPECT_EQ(
      read(
          R"({"model":"m","choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]})"),
      "begin(m) text(a)");
  EXPECT_EQ(read(R"({"choices":[{"delta":{"content":"a"}}]})"), "begin() text(a)");
}

// Returns the events of several chunks, one after another.
std::string read_all(const std::vector<std::string>& chunks) {
  ChatReader reader(SameIndexNewId::new_call, {});
  std::vector<turn::Event> events;
  for (const std::string& chunk : chunks) reader.read(wire::Frame{"", chunk, true, false}, events);
  return notation(events);
}

TEST(ChatReader, OtherChoicesAloneAreNoAnswer) {
  const std::string other = R"({"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"stop"}]})";
  const std::string first = R"({"choices":[{"index":0,"delta":{}}]})";
  EXPECT_EQ(read_all({other, "[DONE]"}), "failure(api,the upstream gave no first choice, only others) done");
  EXPECT_EQ(read_all({other, first, "[DONE]"}), "begin() done");
  EXPECT_EQ(read_all({first, other, "[DONE]"}), "begin() done");
  EXPECT_EQ(read_all({R"({"choices":[]})", "[DONE]"}), "done");
}

TEST(ChatReader, HalvesOfSurrogatePairs) {
  EXPECT_EQ(delta(R"("content":"a\ud83d")"), "text(a\xED\xA0\xBD)");
  EXPECT_EQ(delta(R"("reasoning":"\ude00")"), "thinking(\xED\xB8\x80)");
  EXPECT_EQ(delta(R"("\ud83d":1,"content":"a")"), "text(a)");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":"i\ud83d","function":{"name":"f\ude00","arguments":"{\"\ud83d"}}])"),
            "call0(i\xEF\xBF\xBD,f\xEF\xBF\xBD,{\"\xED\xA0\xBD)");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":"i","function":{"name":"f","arguments":{"\ud83d":"\ude00"}}}])"),
            R"(call0(i,f,{"\ud83d":"\ude00"}))");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":"i","function":{"name":"f","arguments":"{\"a\":\"\\ud83d\"}"}}])"),
            R"(call0(i,f,{"a":"\ud83d"}))");
  EXPECT_EQ(read(R"({"model":"m\ud800","choices":[{"delta":{}}]})"), "begin(m\xEF\xBF\xBD)");
  EXPECT_EQ(read(R"({"error":{"message":"m\ud800"}})"), "failure(api,m\xEF\xBF\xBD)");
  EXPECT_EQ(delta(R"("reasoning_details":[{"signature":"s\udc00"}])"), "last-signature(s\xEF\xBF\xBD)");
}

TEST(ChatReader, NumbersOfAnySize) {
  EXPECT_EQ(
      read(R"({"created":1e999,"usage":{"prompt_tokens":1e999},"choices":[{"delta":{"content":"a"}}]})"),
      "usage(-,-,-) begin() text(a)");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":12345678901234567890123}])"), "call0(12345678901234567890123,,)");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":1.5}])"), "call0(,,)");
}

TEST(ChatReader, ThinkingBlocks) {
  EXPECT_EQ(delta(R"("reasoning_content":"t","thinking_blocks":[{"type":"thinking","thinking":"t"}])"),
            "thinking(t)");
  EXPECT_EQ(delta(R"("thinking_blocks":[{"thinking":"t"},{"thinking":"u","signature":"s"},{"data":"x"}])"),
            "thinking(t) thinking(u) last-signature(s)");
  EXPECT_EQ(delta(R"("reasoning_content":"","thinking_blocks":[{"thinking":"","signature":"s"}])"),
            "last-signature(s)");
  EXPECT_EQ(delta(R"("reasoning_details":[{"text":"t"}],"thinking_blocks":[{"thinking":"t"}])"),
            "thinking(t)");
  EXPECT_EQ(delta(R"("reasoning_content":"t","thinking_blocks":[])"), "thinking(t)");
}

// Makes a chunk for each delta.
std::string deltas(const std::vector<std::string>& members) {
  ChatReader reader(SameIndexNewId::new_call, {});
  std::vector<turn::Event> events;
  for (const std::string& member : members) {
    const std::string chunk = R"({"choices":[{"index":0,"delta":{)" + member + "}}]}";
    std::vector<turn::Event> said;
    reader.read(wire::Frame{"", chunk, true, false}, said);
    EXPECT_FALSE(said.empty());
    events.insert(events.end(), said.begin() + 1, said.end());
  }
  return notation(events);
}

TEST(ChatReader, EachSignatureEndsItsThought) {
  const std::string two = "thinking(t) last-signature(a) thinking(u) last-signature(b)";
  EXPECT_EQ(delta(R"("thinking_blocks":[{"thinking":"t","signature":"a"},{"thinking":"u","signature":"b"}])"),
            two);
  EXPECT_EQ(
      delta(
          R"("reasoning":"tu","reasoning_details":[{"text":"t","signature":"a"},{"text":"u","signature":"b"}])"),
      two);
  EXPECT_EQ(deltas({R"("reasoning_content":"t","thinking_blocks":[{"thinking":"t","signature":""}])",
                    R"("reasoning_content":"","thinking_blocks":[{"thinking":"","signature":"a"}])",
                    R"("reasoning_content":"u","thinking_blocks":[{"thinking":"u","signature":""}])",
                    R"("thinking_blocks":[{"thinking":"","signature":"b"}])"}),
            two);
  EXPECT_EQ(deltas({R"("thinking_blocks":[{"signature":"a"}])", R"("reasoning_content":"u")",
                    R"("thinking_blocks":[{"signature":"b"}])"}),
            "last-signature(a) thinking(u) last-signature(b)");
  EXPECT_EQ(
      delta(R"("reasoning_details":[{"text":"t"}],"thinking_blocks":[{"thinking":"t","signature":"a"}])"),
      "thinking(t) last-signature(a)");
  EXPECT_EQ(
      deltas({R"("thinking_blocks":[{"thinking":"t","signature":"a"}])", R"("reasoning_content":"u")",
              R"("reasoning_content":"v")", R"("thinking_blocks":[{"thinking":"uv","signature":"b"}])"}),
      "thinking(t) last-signature(a) thinking(u) thinking(v) last-signature(b)")
      << "the whole of the second thought";
  // The same thought with another signature is a new thought.
  EXPECT_EQ(deltas({R"("reasoning":"t","reasoning_details":[{"text":"t","signature":"a"}])",
                    R"("reasoning":"t","reasoning_details":[{"text":"t","signature":"b"}])"}),
            "thinking(t) last-signature(a) thinking(t) last-signature(b)");
}

TEST(ChatReader, AnotherIndexIsAnotherThought) {
  const auto entry = [](const char* index, const char* rest) {
    return R"("reasoning_details":[{"index":)" + std::string(index) + "," + rest + "}]";
  };
  EXPECT_EQ(deltas({entry("0", R"("text":"t")"), entry("0", R"("text":"u")"), entry("1", R"("text":"v")")}),
            "thinking(t) thinking(u) close0 thinking(v)");
  EXPECT_EQ(deltas({entry("0", R"("text":"t")"), entry("1", R"("signature":"b")")}),
            "thinking(t) close0 last-signature(b)");
  EXPECT_EQ(deltas({entry("0", R"("text":"t","signature":"a")"), entry("1", R"("text":"u")"),
                    entry("1", R"("signature":"b")")}),
            "thinking(t) last-signature(a) thinking(u) last-signature(b)");
  EXPECT_EQ(deltas({entry("0", R"("signature":"a")"), entry("0", R"("signature":"a")"),
                    entry("1", R"("signature":"a")")}),
            "last-signature(a) last-signature(a)");
  EXPECT_EQ(deltas({R"("reasoning":"t")", entry("3", R"("signature":"a")")}),
            "thinking(t) last-signature(a)");
}

TEST(ChatReader, RepeatedOrLateSignaturesAreIgnored) {
  const std::string one = "thinking(t) thinking(u) last-signature(a)";
  const std::vector<std::string> pieces = {R"("reasoning_content":"t")", R"("reasoning_content":"u")"};
  for (const char* whole :
       {R"("thinking_blocks":[{"thinking":"tu","signature":"a"}])",
        R"("reasoning_content":"tu","thinking_blocks":[{"thinking":"tu","signature":"a"}])",
        R"("thinking_blocks":[{"signature":"a"}],"reasoning_details":[{"signature":"a"}])"}) {
    std::vector<std::string> all = pieces;
    all.insert(all.end(), {whole, whole, R"("content":"x")", whole});
    EXPECT_EQ(deltas(all), one + " text(x)");
  }
  EXPECT_EQ(deltas({pieces[0], R"("content":"x")", R"("thinking_blocks":[{"signature":"a"}])"}),
            "thinking(t) text(x)");
  EXPECT_EQ(
      deltas({pieces[0], R"("content":"x")", R"("thinking_blocks":[{"thinking":"t","signature":"a"}])"}),
      "thinking(t) text(x)");
  // A list with all of several thoughts.
  EXPECT_EQ(
      deltas({pieces[0], R"("content":"x")", pieces[1],
              R"("thinking_blocks":[{"thinking":"t","signature":"a"},{"thinking":"u","signature":"b"}])"}),
      "thinking(t) text(x) thinking(u) last-signature(b)");
}

TEST(ChatReader, SealedThinkingIsForAnthropicAlone) {
  EXPECT_EQ(deltas({R"("thinking_blocks":[{"type":"redacted_thinking","data":"RU5D"}])",
                    R"("thinking_blocks":[{"type":"redacted_thinking","data":"RU5D"}])", R"("content":"x")"}),
            "sealed(RU5D) text(x)");
  const auto encrypted = [](const char* format) {
    return R"("reasoning_details":[{"type":"reasoning.encrypted","data":"RU5D")" + std::string(format) + "}]";
  };
  EXPECT_EQ(delta(encrypted("")), "sealed(RU5D)");
  EXPECT_EQ(delta(encrypted(R"(,"format":"anthropic-claude-v1")")), "sealed(RU5D)");
  EXPECT_EQ(delta(encrypted(R"(,"format":"openai-responses-v1")")), "");
  EXPECT_EQ(
      delta(R"("thinking_blocks":[{"type":"redacted_thinking","data":"z"},)"
            R"({"type":"thinking","thinking":"t","signature":"a"},{"type":"redacted_thinking","data":"y"}])"),
      "sealed(z) thinking(t) last-signature(a) sealed(y)");
  EXPECT_EQ(
      delta(R"("thinking_blocks":[{"type":"redacted_thinking","data":""},{"type":"thinking","data":"z"}])"),
      "");
}

TEST(ChatReader, SignedThoughtsAreBounded) {
  Limits limits;
  limits.parts = 3;
  std::string blocks;
  for (int i = 0; i < 4; ++i)
    blocks += std::string(i > 0 ? "," : "") + R"({"signature":"s)" + std::to_string(i) + "\"}";
  const std::string chunk = R"({"choices":[{"delta":{"thinking_blocks":[)" + blocks + "]}}]}";
  EXPECT_NE(
      read(wire::Frame{"", chunk, true, false}, limits).find("failure(api,the upstream signed more thoughts"),
      std::string::npos);
}

TEST(ChatReader, RepeatedWholeArgumentsAreIgnored) {
  const auto call = [](const std::string& mark, const std::string& arguments) {
    return R"("tool_calls":[{)" + mark + R"("function":{"name":"f","arguments":")" + arguments + "\"}}]";
  };
  const std::string whole = R"({\"q\":1})";
  for (const char* mark : {R"("index":0,"id":"i",)", R"("id":"i",)", R"("index":0,)"}) {
    const std::string id = std::string(mark).find("id") == std::string::npos ? "" : "i";
    const std::string piece = "call0(" + id + ",f,";
    EXPECT_EQ(deltas({call(mark, whole), call(mark, whole)}), piece + "{\"q\":1}) " + piece + ")");
    EXPECT_EQ(deltas({call(mark, R"({\"q\":)"), call(mark, "1}"), call(mark, whole), call(mark, whole)}),
              piece + "{\"q\":) " + piece + "1}) " + piece + ") " + piece + ")");
    // A piece that does not equal all of it stays broken, as before.
    EXPECT_EQ(deltas({call(mark, whole), call(mark, R"({\"q\":1} )")}),
              piece + "{\"q\":1}) " + piece + "{\"q\":1} )");
    EXPECT_EQ(deltas({call(mark, "["), call(mark, "[")}), piece + "[) " + piece + "[)");
  }
  EXPECT_EQ(deltas({call("", whole), R"("tool_calls":[{"function":{"arguments":")" + whole + "\"}}]"}),
            "call0(,f,{\"q\":1}) call0(,,{\"q\":1})")
      << "without an index and an id";
  EXPECT_EQ(deltas({call("", whole), call("", whole)}), "call0(,f,{\"q\":1}) call1(,f,{\"q\":1})");
  EXPECT_EQ(deltas({call(R"("index":0,"id":"i",)", whole), call(R"("index":1,"id":"j",)", whole)}),
            "call0(i,f,{\"q\":1}) call1(j,f,{\"q\":1})");
}

// A chunk with a piece of the arguments of a call.
std::string arguments(const std::string& piece, const std::string& call = "0") {
  return R"({"choices":[{"delta":{"tool_calls":[{"index":)" + call + R"(,"function":{"arguments":")" + piece +
         R"("}}]}}]})";
}

TEST(ChatReader, FirstPieceOfEmptyObjectWaits) {
  const std::string a1 = R"({\"a\":1})";
  const std::string begin = "begin() call0(,,)";
  EXPECT_EQ(read_all({arguments("{}")}), begin);
  EXPECT_EQ(read_all({arguments("{}"), "[DONE]"}), begin + " call0(,,{}) done");
  EXPECT_EQ(read_all({arguments("{}"), "x"}),
            begin + " call0(,,{}) failure(api,upstream event 2 is not JSON)");
  EXPECT_EQ(read_all({arguments("{}"), arguments("{}"), "[DONE]"}),
            begin + " begin() call0(,,) call0(,,{}) done");
  EXPECT_EQ(read_all({arguments("{}"), arguments(a1)}), begin + R"( begin() call0(,,{"a":1}))");
  EXPECT_EQ(read_all({arguments("{}"), arguments(" "), arguments("{"), arguments("}")}),
            begin + " begin() call0(,,) begin() call0(,,{) begin() call0(,,})");
  EXPECT_EQ(read_all({arguments("{}"), arguments(a1), arguments(a1)}),
            begin + R"( begin() call0(,,{"a":1}) begin() call0(,,))");
  EXPECT_EQ(read_all({arguments("{}"), arguments(" "), "[DONE]"}),
            begin + " begin() call0(,,) call0(,,{} ) done");
  EXPECT_EQ(read_all({arguments("{}"), arguments("x")}), begin + " begin() call0(,,{}) call0(,,x)");
  EXPECT_EQ(read_all({arguments("{"), arguments("}")}), "begin() call0(,,{) begin() call0(,,})");
  EXPECT_EQ(read_all({arguments("{}"), arguments("{}", "1"), arguments(a1), "[DONE]"}),
            begin + R"( begin() call1(,,) begin() call0(,,{"a":1}) call1(,,{}) done)");
}

TEST(ChatReader, EmptyObjectThatWaitsComesAtTheEndOfTheBody) {
  ChatReader reader(SameIndexNewId::new_call, {});
  std::vector<turn::Event> events;
  reader.read(wire::Frame{"", arguments("{}"), true, false}, events);
  reader.finish(turn::BodyEnd::complete, events);
  EXPECT_EQ(notation(events), "begin() call0(,,) call0(,,{})");
}

TEST(ChatReader, DetailsMayComeAChunkAfterTheirText) {
  const auto chunk = [](const std::string& members) {
    return R"({"choices":[{"delta":{)" + members + "}}]}";
  };
  const auto text = [](const std::string& said) { return R"("reasoning":")" + said + "\""; };
  const auto details = [](const std::string& said) {
    return R"("reasoning_details":[{"text":")" + said + "\"}]";
  };
  EXPECT_EQ(read_all({chunk(text("a")), chunk(details("a")), chunk(text("b")), chunk(details("b"))}),
            "begin() thinking(a) begin() begin() thinking(b) begin()");
  EXPECT_EQ(read_all({chunk(text("a")), chunk(text("b") + "," + details("a")), chunk(details("b"))}),
            "begin() thinking(a) begin() thinking(b) begin()");
  EXPECT_EQ(read_all({chunk(text("a")), chunk(text("b")), chunk(R"("content":"x",)" + details("ab"))}),
            "begin() thinking(a) begin() thinking(b) begin() text(x)");
  EXPECT_EQ(read_all({chunk(text("a")), chunk(R"("reasoning_details":[{"text":"a","signature":"s"}])")}),
            "begin() thinking(a) begin() last-signature(s)");
  EXPECT_EQ(read_all({chunk(text("a") + "," + details("a")), chunk(details("a"))}),
            "begin() thinking(a) begin() thinking(a)");
  EXPECT_EQ(read_all({chunk(text("a")), chunk(text("a") + "," + details("a"))}),
            "begin() thinking(a) begin() thinking(a)");
  EXPECT_EQ(read_all({chunk(details("a")), chunk(details("a"))}), "begin() thinking(a) begin() thinking(a)");
  EXPECT_EQ(read_all({chunk(text("a")), chunk(R"("thinking_blocks":[{"thinking":"a","signature":"s"}])")}),
            "begin() thinking(a) begin() last-signature(s)");
}

TEST(ChatReader, BareBodiesAreReadForTheErrorAlone) {
  const auto read_bare = [](const std::string& body) {
    std::vector<turn::Event> events;
    ChatReader(SameIndexNewId::new_call, {}).read(wire::Frame{"", body, true, false, true}, events);
    return events.empty() ? std::string() : std::visit(Notation{}, events.front());
  };
  EXPECT_EQ(read_bare("{\n  \"error\": {\"message\": \"slow down\", \"code\": 429}\n}\n"),
            "failure(rate_limit,slow down)");
  EXPECT_EQ(read_bare(R"({"object":"error","message":"m"})"), "failure(api,m)");
  EXPECT_EQ(read_bare(R"({"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]})"), "");
  EXPECT_EQ(read_bare(R"({"error":{"message":"cut)"), "");
  EXPECT_EQ(read_bare(R"({"detail":"x"})"), "failure(api,x)");
}

TEST(ChatReader, CallsInAllTheirForms) {
  EXPECT_EQ(delta(R"("tool_calls":[{"index":0,"id":"i","function":{"name":"f","arguments":"{\"a\":1}"}}])"),
            R"(call0(i,f,{"a":1}))");
  EXPECT_EQ(delta(R"("tool_calls":[{"index":0,"id":17,"function":{"name":17,"arguments":null}}])"),
            "call0(17,,)");
  EXPECT_EQ(delta(R"("tool_calls":[{"index":-1,"id":"i"},{"id":"j"},7,null])"), "call0(i,,) call1(j,,)");
  EXPECT_EQ(
      delta(
          R"("tool_calls":[{"id":"i","function":{"name":"f","arguments": {"n" : 12345678901234567890123, "n":1.50}}}])"),
      R"(call0(i,f,{"n" : 12345678901234567890123, "n":1.50}))");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":"i","function":{"name":"f","\u0061rguments":{"a":1}}}])"),
            R"(call0(i,f,{"a":1}))");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":"i","function":{"name":"f","arguments":5}}])"), "call0(i,f,5)");
  EXPECT_EQ(delta(R"("tool_calls":[{"id":"i","function":{"name":"f"}}],"function_call":{"name":"f"})"),
            "call0(i,f,)");
  EXPECT_EQ(delta(R"("function_call":{"name":"f","arguments":"{"})"), "call0(,f,{)");
  EXPECT_EQ(delta(R"("function_call":{"name":"f","arguments":{"a" :1}})"), R"(call0(,f,{"a" :1}))");
}

TEST(ChatReader, UsageIsReadInEveryPlace) {
  EXPECT_EQ(
      read(
          R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":3}}})"),
      "usage(5,3,2)");
  EXPECT_EQ(read(R"({"x_groq":{"usage":{"prompt_tokens":5}}})"), "usage(5,-,-)");
  EXPECT_EQ(read(R"({"choices":[{"delta":{},"usage":{"completion_tokens":2}}]})"), "usage(-,-,2) begin()");
  EXPECT_EQ(read(R"({"usage":{"prompt_tokens":-5,"completion_tokens":"2"}})"), "usage(-,-,-)");
}

TEST(ChatReader, FinishReasons) {
  const auto finished = [](const std::string& reason) {
    return read(R"({"choices":[{"finish_reason":")" + reason + "\"}]}");
  };
  for (const auto& [said, meant] :
       std::vector<std::pair<std::string, std::string>>{{"stop", "stop"},
                                                        {"eos", "stop"},
                                                        {"length", "length"},
                                                        {"model_length", "length"},
                                                        {"tool_calls", "tool_calls"},
                                                        {"function_call", "tool_calls"},
                                                        {"content_filter", "content_filter"},
                                                        {"sensitive", "content_filter"},
                                                        {"MAX_TOKENS", "length"}}) {
    EXPECT_EQ(finished(said), "begin() finished(" + meant + ")");
  }
  EXPECT_EQ(finished(""), "begin()");
  EXPECT_EQ(finished("null"), "begin()");
  EXPECT_EQ(finished("network_error"), "begin() failure(api,the upstream broke off: network_error)");
}

TEST(ChatReader, ErrorsInAllTheirShapes) {
  EXPECT_EQ(read(R"({"error":{"message":"slow down","code":429}})"), "failure(rate_limit,slow down)");
  EXPECT_EQ(read(R"({"error":{"message":"pay","code":"insufficient_quota","status":429}})"),
            "failure(billing,pay)");
  EXPECT_EQ(read(R"({"error":{"type":"invalid_request_error","detail":"bad"}})"),
            "failure(invalid_request,bad)");
  EXPECT_EQ(read(R"({"error":"gone"})"), "failure(api,gone)");
  EXPECT_EQ(read(R"({"error":{}})"), "failure(api,the upstream reported an error)");
  EXPECT_EQ(read(R"({"object":"error","message":"m","code":404})"), "failure(not_found,m)");
  EXPECT_EQ(read(wire::Frame{"error", R"({"message":"m","status_code":503})", true, false}),
            "failure(overloaded,m)");
  EXPECT_EQ(read(R"({"choices":[{"finish_reason":"error"}],"error":{"message":"m","code":429}})"),
            "begin() failure(rate_limit,m)");
  EXPECT_EQ(read(R"({"code":"InternalError","message":"boom"})"), "failure(api,boom)");
  EXPECT_EQ(read(R"({"error":{"message":"m","code":14290}})"), "failure(api,m)");
  EXPECT_EQ(read(R"({"error":{"message":"m","code":"RateLimitReached"}})"), "failure(rate_limit,m)");
  for (const char* nothing : {"null", "false", "0", "\"\"", "{}", "[]"}) {
    EXPECT_EQ(read(std::string(R"({"choices":[{"delta":{"content":"a"}}],"error":)") + nothing + "}"),
              "begin() text(a)");
  }
  EXPECT_EQ(read(R"({"choices":[{"delta":{"content":"a"},"error":{"message":"m","code":502}}]})"),
            "begin() text(a) failure(api,m)");
  EXPECT_EQ(read(R"({"error":{"message":")" + std::string(5000, 'x') + "\"}}").size(),
            2000 + std::string("failure(api,)").size());
}

TEST(ChatReader, BaseRespWithAStatusIsAnError) {
  const std::string failure = "failure(api,rate limit)";
  const std::string base = R"("base_resp":{"status_code":1002,"status_msg":"rate limit"})";
  EXPECT_EQ(read("{" + base + "}"), failure);
  EXPECT_EQ(read(R"({"choices":null,)" + base + "}"), failure);
  EXPECT_EQ(read(R"({"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],)" + base + "}"),
            "begin() text(a) " + failure);
  EXPECT_EQ(read(R"({"base_resp":{"status_code":2013}})"),
            "failure(api,the upstream reported the error 2013)");
  EXPECT_EQ(read(wire::Frame{"", "{" + base + "}", true, false, true}), failure);
  EXPECT_EQ(read(R"({"choices":[{"delta":{"content":"a"}}],"base_resp":{"status_code":0,"status_msg":""}})"),
            "begin() text(a)");
}

TEST(ChatReader, OtherEventsAreIgnoredOrErrors) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read(" \n"), "");
  EXPECT_EQ(read("[DONE]"), "done");
  EXPECT_EQ(read("[DONE] "), "done");
  EXPECT_EQ(read(wire::Frame{"ping", "alive", true, false}), "");
  EXPECT_EQ(read(wire::Frame{"completion.chunk", R"({"choices":[{"delta":{"content":"a"}}]})", true, false}),
            "begin() text(a)");
  EXPECT_EQ(read(wire::Frame{"message", "alive", true, false}), "failure(api,upstream event 1 is not JSON)");
  EXPECT_EQ(read("[]"), "failure(api,upstream event 1 is not a JSON object)");
  for (const std::string& broken :
       {std::string("{"), std::string("hello"), std::string("{}{}"), std::string("{}\0", 3),
        std::string("\xEF\xBB\xBF{}"), std::string("{\"a\":\"\xff\"}")}) {
    EXPECT_EQ(read(broken), "failure(api,upstream event 1 is not JSON)");
    EXPECT_EQ(read(wire::Frame{"", broken, false, false}), "")
        << "a tail that was cut off is not judged here";
  }
  EXPECT_EQ(read(wire::Frame{"", R"({"choices":[{"finish_reason":"stop"}]})", false, false}),
            "begin() finished(stop)");
  EXPECT_EQ(read(wire::Frame{"", "", true, true}),
            "failure(api,upstream event 1 is larger than 16777216 bytes)");
}

TEST(ChatReader, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return R"({"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(read(nested(127)), "");
  EXPECT_EQ(read(nested(128)), "failure(api,upstream event 1 nests deeper than 128 levels)");
  EXPECT_EQ(read(nested(100000)), "failure(api,upstream event 1 nests deeper than 128 levels)");
  EXPECT_EQ(read(std::string(1000000, '[')), "failure(api,upstream event 1 nests deeper than 128 levels)");
}

TEST(ChatReader, CallsAreBoundedWithinOneChunk) {
  Limits limits;
  limits.calls = 3;
  std::string calls;
  for (int i = 0; i < 50; ++i)
    calls += std::string(i > 0 ? "," : "") + R"({"id":"i)" + std::to_string(i) + "\"}";
  const std::string events =
      read(wire::Frame{"", R"({"choices":[{"delta":{"tool_calls":[)" + calls + "]}}]}", true, false}, limits);
  EXPECT_EQ(events, "begin() call0(i0,,) call1(i1,,) call2(i2,,) call3(i3,,)");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_chat::reader_test
