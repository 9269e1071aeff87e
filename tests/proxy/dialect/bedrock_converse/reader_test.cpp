#include "proxy/dialect/bedrock_converse/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "proxy/translator.hpp"
#include "tests/proxy/dialect/notation.hpp"
#include "tests/proxy/event_stream.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::proxy::dialect::bedrock_converse::reader_test {
namespace {

using event_stream::event;
using event_stream::exception;

using Frames = std::vector<wire::Frame>;

std::string read(const Frames& frames, Limits limits = {}) {
  ConverseReader reader(limits);
  std::vector<turn::Event> events;
  for (const wire::Frame& frame : frames) reader.read(frame, events);
  reader.finish(turn::BodyEnd::complete, events);
  // An answer without counts ends with this.
  std::string text = notation(events);
  constexpr std::string_view kNoCounts = " usage(-,-,-)";
  if (const std::size_t at = text.find(kNoCounts); at != std::string::npos) text.erase(at, kNoCounts.size());
  return text;
}

const wire::Frame kStart{"messageStart", R"({"role":"assistant"})"};
const wire::Frame kTorn{"", "", false};

wire::Frame delta(int index, const std::string& content) {
  return {"contentBlockDelta",
          R"({"contentBlockIndex":)" + std::to_string(index) + R"(,"delta":)" + content + "}"};
}

wire::Frame text(int index, const std::string& said) { return delta(index, R"({"text":")" + said + "\"}"); }

wire::Frame thought(int index, const std::string& members) {
  return delta(index, R"({"reasoningContent":{)" + members + "}}");
}

wire::Frame input(int index, const std::string& piece) {
  return delta(index, R"({"toolUse":{"input":")" + piece + "\"}}");
}

wire::Frame start(int index, const std::string& content) {
  return {"contentBlockStart",
          R"({"contentBlockIndex":)" + std::to_string(index) + R"(,"start":)" + content + "}"};
}

wire::Frame call(int index, const std::string& id, const std::string& name) {
  return start(index, R"({"toolUse":{"toolUseId":")" + id + R"(","name":")" + name + "\"}}");
}

wire::Frame stop(int index) {
  return {"contentBlockStop", R"({"contentBlockIndex":)" + std::to_string(index) + "}"};
}

wire::Frame ended(const std::string& reason) {
  return {"messageStop", R"({"stopReason":")" + reason + "\"}"};
}

TEST(ConverseReader, TextAndThinking) {
  EXPECT_EQ(read({kStart, kStart, text(0, "ha"), text(0, "ha"), text(0, ""), stop(0), text(1, "b")}),
            "begin() text(ha) text(ha) close0 text1(b)");
  EXPECT_EQ(read({start(0, "{}"), text(0, R"(\ud83d)"), text(0, R"(\ude00)")}),
            "text(\xED\xA0\xBD) text(\xED\xB8\x80)");
  EXPECT_EQ(read({text(0, "a"), start(0, "{}"), text(0, "b")}), "text(a) text1(b)") << "it starts again";
  EXPECT_EQ(read({thought(0, R"("text":"t")"), text(0, "a"), text(0, "b")}), "thinking(t) text1(a) text1(b)")
      << "content of another kind";
}

TEST(ConverseReader, SignatureEndsItsThinking) {
  const Frames signed_thought = {thought(0, R"("text":"t")"), thought(0, R"("signature":"s")"),
                                 thought(0, R"("signature":"\ud800")")};
  const std::string read_thought = "thinking(t) last-signature(s\xEF\xBF\xBD)";
  EXPECT_EQ(read(signed_thought), read_thought);
  Frames frames = signed_thought;
  frames.insert(frames.end(), {stop(0), text(1, "a")});
  EXPECT_EQ(read(frames), read_thought + " close0 text1(a)");
  frames = signed_thought;
  frames.push_back(text(1, "a"));
  EXPECT_EQ(read(frames), read_thought + " text1(a)");
  frames = signed_thought;
  frames.push_back(kTorn);
  EXPECT_EQ(read(frames), read_thought) << "the body ends inside the next frame";
  EXPECT_EQ(read({thought(0, R"("signature":"s")"), stop(0)}), "last-signature(s) close0");
  EXPECT_EQ(read({thought(0, R"("redactedContent":"cg==")"), stop(0), text(1, "a")}),
            "sealed(cg==) close0 text1(a)");
}

TEST(ConverseReader, Calls) {
  EXPECT_EQ(read({call(0, "i", "f"), input(0, ""), input(0, R"({\"a\")"), input(0, ":1}"), stop(0)}),
            R"(call0(i,f,) call0(,,{"a") call0(,,:1}) close0)");
  EXPECT_EQ(read({text(0, "a"), call(1, "i", "f"), call(2, "j", "g"), input(2, "{}"), input(1, "[]")}),
            "text(a) call0(i,f,) call1(j,g,) call1(,,{}) call0(,,[])");
  EXPECT_EQ(read({input(0, "{}")}), "call0(,,{})") << "its start is missing";
  EXPECT_EQ(read({call(0, R"(i\ud800)", "f")}), "call0(i\xEF\xBF\xBD,f,)");
}

// Only a later block shows that the call is complete.
TEST(ConverseReader, CallWithoutArguments) {
  EXPECT_EQ(read({call(0, "i", "f"), stop(0), text(1, "a")}), "call0(i,f,) close0 call0(,,{}) text1(a)");
  EXPECT_EQ(read({call(0, "i", "f"), stop(0), ended("tool_use")}), "call0(i,f,) close0 finished(tool_calls)");
  EXPECT_EQ(read({call(0, "i", "f"), text(1, "a")}), "call0(i,f,) text1(a)");
  EXPECT_EQ(read({call(0, "i", ""), stop(0), text(1, "a")}), "call0(i,,) close0 text1(a)");
}

TEST(ConverseReader, ContentForTheProviderOnlyIsLeftOut) {
  EXPECT_EQ(read({start(0, R"({"toolUse":{"toolUseId":"i","name":"f","type":"server_tool_use"}})"),
                  input(0, "{}"), stop(0), start(1, R"({"toolResult":{"toolUseId":"i"}})"),
                  delta(1, R"({"toolResult":[{"text":"r"}]})"), stop(1), text(2, "a")}),
            "close0 close1 text2(a)");
  EXPECT_EQ(read({text(0, "a"), delta(0, R"({"citation":{"title":"t"}})"), {"tideTable", "{"}}), "text(a)");
}

TEST(ConverseReader, ContentWithoutAPlace) {
  EXPECT_EQ(read({start(0, R"({"image":{"format":"png"}})")}), "unplaced(an image)");
  EXPECT_EQ(read({delta(0, R"({"image":{}})")}), "unplaced(an image)");
  EXPECT_EQ(read({delta(0, R"({"tide":1})")}), "unplaced(content of an unknown kind)");
  EXPECT_EQ(read({thought(0, R"("tide":1)")}), "unplaced(content of an unknown kind)");
}

TEST(ConverseReader, StopReasons) {
  for (const auto& [said, meant] : std::vector<std::pair<std::string, std::string>>{
           {"end_turn", "finished(stop)"},
           {"stop_sequence", "finished(stop)"},
           {"tool_use", "finished(tool_calls)"},
           {"max_tokens", "finished(length)"},
           {"model_context_window_exceeded", "finished(length)"},
           {"guardrail_intervened", "finished(content_filter)"},
           {"content_filtered", "finished(content_filter)"},
           {"tide", "finished(unknown: tide)"},
           {"malformed_tool_use", "failure(api,the upstream broke off: malformed_tool_use)"},
           {"malformed_model_output", "failure(api,the upstream broke off: malformed_model_output)"}})
    EXPECT_EQ(read({text(0, "a"), ended(said)}), "text(a) " + meant);
  EXPECT_EQ(read({text(0, "a"), {"messageStop", "{}"}}), "text(a)");
  EXPECT_EQ(read({text(0, "a"), ended("end_turn"), kTorn}), "text(a)") << "how the body ended decides";
  EXPECT_EQ(read({text(0, "a"), ended("end_turn"), ended("max_tokens")}), "text(a) finished(length)");
}

TEST(ConverseReader, CountsOfCachesArePartOfThePrompt) {
  EXPECT_EQ(read({text(0, "a"),
                  ended("end_turn"),
                  {"metadata", R"({"usage":{"inputTokens":3,)"
                               R"("cacheReadInputTokens":20,"cacheWriteInputTokens":100,"outputTokens":7,)"
                               R"("totalTokens":130},"metrics":{"latencyMs":5}})"}}),
            "text(a) usage(123,20,7) finished(stop)");
}

TEST(ConverseReader, Errors) {
  const auto error = [](const std::string& word, const std::string& data) {
    wire::Frame frame{"error", data};
    frame.error = word;
    return read({call(0, "i", "f"), frame});
  };
  for (const auto& [word, kind] :
       std::vector<std::pair<std::string, std::string>>{{"throttlingException", "rate_limit"},
                                                        {"validationException", "invalid_request"},
                                                        {"serviceUnavailableException", "overloaded"},
                                                        {"modelTimeoutException", "timeout"},
                                                        {"modelStreamErrorException", "api"},
                                                        {"internalServerException", "api"}})
    EXPECT_EQ(error(word, R"({"message":"m"})"), "call0(i,f,) failure(" + kind + ",m)") << word;
  for (const char* name : {"messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop",
                           "messageStop", "metadata"})
    EXPECT_EQ(read({{name, "{"}}), "failure(api,a frame of the upstream is not JSON)") << name;
  wire::Frame damaged;
  damaged.damage = "has a wrong checksum";
  EXPECT_EQ(read({damaged}), "failure(api,a frame of the upstream has a wrong checksum)");
  EXPECT_EQ(read({text(0, "a"), text(1, "b"), text(2, "c")}, Limits{.parts = 2}),
            "text(a) text1(b) failure(api,the upstream sent more blocks than one message may hold)");
}

// Reads whole bodies through the translator.

std::string encoded(const Frames& frames) {
  std::string body;
  for (const wire::Frame& frame : frames) body += event(frame.event, frame.data);
  return body;
}

// Together they contain events of all forms.
std::vector<std::string> bodies() {
  const wire::Frame counts{"metadata", R"({"usage":{"inputTokens":3,"outputTokens":7,"totalTokens":10}})"};
  return {
      encoded({kStart, text(0, "ha"), text(0, "ha"), text(0, "\xE5\x8C\x97 <think>"), stop(0),
               ended("end_turn"), counts}),
      encoded({kStart, thought(0, R"("text":"hm")"), thought(0, R"("signature":"c2ln")"), stop(0),
               text(1, R"(\ud83d\ude00)"), stop(1), call(2, "t1", "f"), input(2, R"({\"a\":)"),
               input(2, "1}"), stop(2), call(3, "t2", "g"), stop(3), ended("tool_use"), counts}),
      encoded({kStart, call(0, "t1", "f"), input(0, R"({\"a)"), stop(0), ended("max_tokens"), counts}),
  };
}

Translator translator(const ClientRow& client = clients().front()) {
  TranslatorOptions options;
  options.upstream = find_upstream("bedrock.converse");
  options.client = &client;
  return Translator(options);
}

std::string translated(const std::string& body, turn::BodyEnd end = turn::BodyEnd::complete) {
  Translator translating = translator();
  std::string out;
  translating.feed(body, out);
  translating.finish(end, out);
  return out;
}

bool finishes(const std::string& out) { return out.find("message_stop") != std::string::npos; }

bool fails(const std::string& out) { return out.find("event: error") != std::string::npos; }

TEST(ConverseStreams, AreTranslated) {
  const std::vector<std::string> streams = bodies();
  for (const std::string& body : streams) EXPECT_TRUE(finishes(translated(body)) && !fails(translated(body)));
  const std::string out = translated(streams[1]);
  for (const char* part :
       {R"("thinking":"hm")", R"("signature":"c2ln")", "\xF0\x9F\x98\x80", R"("id":"t1","name":"f")",
        R"("id":"t2","name":"g")", R"("stop_reason":"tool_use")", R"("output_tokens":7)"})
    EXPECT_NE(out.find(part), std::string::npos) << part;
  EXPECT_NE(translated(streams[2]).find(R"("stop_reason":"max_tokens")"), std::string::npos);
}

// From every eleventh place to every other; in sanitized builds from every forty-first.
TEST(ConverseStreams, CutsDoNotShow) {
  constexpr std::size_t kStep = kSanitized ? 41 : 11;
  std::size_t pairs = 0;
  const std::vector<std::string> streams = bodies();
  for (std::size_t number = 0; number < std::max(streams.size(), clients().size()); ++number) {
    const std::string& body = streams[number % streams.size()];
    Translator before = translator(clients()[number % clients().size()]);
    std::string out;
    for (std::size_t i = 0; i <= body.size(); ++i) {
      Translator slow = before;
      std::string slowly = out;
      for (std::size_t j = i; j <= body.size() && i % kStep == 0; ++j, ++pairs) {
        Translator at_once = before;
        std::string said = out;
        at_once.feed(body.substr(i, j - i), said);
        ASSERT_EQ(at_once, slow) << number << ": " << i << " " << j;
        ASSERT_EQ(said, slowly);
        if (j < body.size()) slow.feed(body.substr(j, 1), slowly);
      }
      if (i < body.size()) before.feed(body.substr(i, 1), out);
    }
  }
  EXPECT_GT(pairs, 500'000U / kStep);
}

TEST(ConverseStreams, DamagedByteIsAnErrorAndNeverAFinish) {
  for (const std::string& body : bodies()) {
    for (std::size_t at = 0; at < body.size(); ++at) {
      for (const int change : {1, 0x20, 0x80, 0xFF}) {
        std::string wrong = body;
        wrong[at] = static_cast<char>(wrong[at] ^ change);
        const std::string out = translated(wrong);
        ASSERT_TRUE(fails(out) && !finishes(out)) << at << " " << change;
      }
    }
  }
}

// The counts are the only frame that an answer may lack.
TEST(ConverseStreams, BodyThatIsCutOffIsAnError) {
  for (const std::string& body : bodies()) {
    const std::string counts =
        event("metadata", R"({"usage":{"inputTokens":3,"outputTokens":7,"totalTokens":10}})");
    ASSERT_TRUE(body.ends_with(counts));
    for (std::size_t size = 0; size < body.size(); ++size) {
      const std::string out = translated(body.substr(0, size));
      const bool complete = size == body.size() - counts.size();
      ASSERT_TRUE(fails(out) != complete && finishes(out) == complete) << size;
    }
    for (const turn::BodyEnd end : {turn::BodyEnd::reset, turn::BodyEnd::stall})
      EXPECT_TRUE(fails(translated(body, end)));
  }
}

TEST(ConverseStreams, ExceptionIsAnErrorEvenAfterTheReason) {
  const std::string wrong = exception("throttlingException", R"({"message":"slow down"})");
  for (const std::string& body : bodies()) {
    const std::string out = translated(body + wrong);
    EXPECT_TRUE(fails(out) && !finishes(out));
    EXPECT_NE(out.find("rate_limit_error"), std::string::npos);
    EXPECT_NE(out.find("slow down"), std::string::npos);
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::bedrock_converse::reader_test
