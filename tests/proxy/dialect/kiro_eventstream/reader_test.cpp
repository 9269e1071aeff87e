#include "proxy/dialect/kiro_eventstream/reader.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "proxy/translator.hpp"
#include "tests/proxy/dialect/notation.hpp"
#include "tests/proxy/event_stream.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::proxy::dialect::kiro_eventstream::reader_test {
namespace {

using event_stream::event;
using event_stream::exception;

using Frames = std::vector<wire::Frame>;

std::string read(const Frames& frames, AnswerEnd end = AnswerEnd::metadata, Limits limits = {},
                 turn::BodyEnd body_end = turn::BodyEnd::complete) {
  KiroReader reader(end, limits);
  std::vector<turn::Event> events;
  for (const wire::Frame& frame : frames) reader.read(frame, events);
  reader.finish(body_end, events);
  return notation(events);
}

wire::Frame text(const std::string& said) {
  return {"assistantResponseEvent", R"({"content":")" + said + "\"}"};
}

wire::Frame thought(const std::string& members) { return {"reasoningContentEvent", "{" + members + "}"}; }

std::string calls(const std::vector<std::string>& members) {
  Frames frames;
  for (const std::string& said : members) frames.push_back({"toolUseEvent", "{" + said + "}"});
  return read(frames);
}

const wire::Frame kMetering{"meteringEvent", R"({"usage":0.25})"};
const wire::Frame kTorn{"", "", false};

wire::Frame metadata(const std::string& reason) {
  return {"metadataEvent", R"({"stopReason":")" + reason + "\"}"};
}

TEST(KiroReader, TextAndThinking) {
  EXPECT_EQ(read({text("ha"), text("ha"), text("haha"), text("")}), "text(ha) text(ha) text(haha)");
  EXPECT_EQ(read({thought(R"("text":"t")"), thought(R"("signature":"s")"), text("a")}),
            "thinking(t) signature(s) text(a)");
  EXPECT_EQ(read({thought(R"("text":"t","signature":"s\ud800")")}), "thinking(t) signature(s\xEF\xBF\xBD)");
  EXPECT_EQ(read({thought(R"("redactedContent":"x")"), thought(R"("text":7,"signature":[])")}), "");
  EXPECT_EQ(read({text(R"(\ud83d)"), text(R"(\ude00)")}), "text(\xED\xA0\xBD) text(\xED\xB8\x80)");
}

TEST(KiroReader, CallsInAllTheirForms) {
  EXPECT_EQ(calls({R"("toolUseId":"i","name":"f")", R"("toolUseId":"i","name":"f","input":"{\"a\"")",
                   R"("toolUseId":"i","input":":1}")", R"("toolUseId":"i","stop":true)"}),
            R"(call0(i,f,) call0(i,f,{"a") call0(i,,:1}) call0(i,,))");
  EXPECT_EQ(calls({R"("id":"i","tool_name":"f","input":{"n" : 1.50},"done":true)"}),
            R"(call0(i,f,{"n" : 1.50}))");
  EXPECT_EQ(calls({R"("toolUseId":"","tool_use_id":"i","name":7,"toolName":"f")"}), "call0(i,f,)");
  for (const char* stop : {"stop", "isStop", "done"}) {
    EXPECT_EQ(calls({R"("id":"i","name":"f",")" + std::string(stop) + R"(":true)"}), "call0(i,f,{})") << stop;
    EXPECT_EQ(calls({R"("id":"i","name":"f",")" + std::string(stop) + R"(":"true")"}), "call0(i,f,)");
  }
  EXPECT_EQ(calls({R"("id":"i","name":"f","input":" ","stop":true)"}), "call0(i,f, {})");
  EXPECT_EQ(calls({R"("id":"i","name":"f","input":7)"}), "call0(i,f,)");
  EXPECT_EQ(calls({"", R"("input":"")", R"("stop":true)"}), "");
}

TEST(KiroReader, IdAndNameDecideTheCallOfAnEvent) {
  EXPECT_EQ(calls({R"("name":"f","input":"{")", R"("id":"i","input":"}")", R"("id":"i","stop":true)"}),
            "call0(,f,{) call0(i,,}) call0(i,,)");
  EXPECT_EQ(calls({R"("id":"i","name":"f")", R"("id":"j","name":"f")", R"("id":"i","input":"{}")"}),
            "call0(i,f,) call1(j,f,) call0(i,,{})");
  EXPECT_EQ(calls({R"("name":"f")", R"("name":"g")", R"("name":"g","id":"i")", R"("name":"h","id":"j")"}),
            "call0(,f,) call1(,g,) call1(i,g,) call2(j,h,)");
  EXPECT_EQ(calls({R"("id":"i","name":"f","stop":true)", R"("id":"i","input":"{\"a\":1}")"}), "call0(i,f,{})")
      << "it has stopped";
  EXPECT_EQ(calls({R"("name":"f","stop":true)", R"("name":"f","stop":true)"}), "call0(,f,{}) call1(,f,{})");
}

TEST(KiroReader, WhyItStopped) {
  for (const auto& [said, meant] :
       std::vector<std::pair<std::string, std::string>>{{"end_turn", "stop"},
                                                        {"TOOL_USE", "tool_calls"},
                                                        {"MAX_TOKENS", "length"},
                                                        {"length", "length"},
                                                        {"content_filtered", "content_filter"},
                                                        {"content_filter", "content_filter"},
                                                        {"guardrail_intervened", "content_filter"},
                                                        {"Refusal", "content_filter"}})
    EXPECT_EQ(read({metadata(said)}), "finished(" + meant + ")") << said;
  EXPECT_EQ(read({metadata("")}), "");
  EXPECT_EQ(read({metadata("a"), metadata("length"), metadata("b")}), "finished(length)");
  EXPECT_EQ(read({metadata("a"), text("more")}), "text(more) finished(unknown: a)");
  EXPECT_EQ(read({kMetering}), "");
  EXPECT_EQ(read({kMetering}, AnswerEnd::metering), "finished(stop)");
  EXPECT_EQ(read({kMetering, metadata("length")}, AnswerEnd::metering), "finished(length)");
  EXPECT_EQ(read({metadata("a"), kTorn}), "") << "how the body ended decides";
  EXPECT_EQ(read({kMetering, kTorn}, AnswerEnd::metering), "");
}

// Credits end an answer only if nothing follows them.
TEST(KiroReader, CreditsInTheMiddleEndNothing) {
  const auto metered = [](const Frames& frames, turn::BodyEnd end = turn::BodyEnd::complete) {
    return read(frames, AnswerEnd::metering, {}, end);
  };
  const auto ends = [](const std::string& events) { return events.ends_with("finished(stop)"); };
  const auto call = [](const std::string& members) {
    return wire::Frame{"toolUseEvent", "{" + members + "}"};
  };
  const wire::Frame open = call(R"("toolUseId":"i","name":"f","input":"{")");
  const wire::Frame stop = call(R"("toolUseId":"i","input":"}","stop":true)");
  const Frames says_more = {text("a"), thought(R"("text":"t")"), thought(R"("signature":"s")"),
                            call(R"("toolUseId":"i","name":"f","stop":true)")};
  for (const wire::Frame& more : says_more) {
    EXPECT_TRUE(ends(metered({more, kMetering}))) << more.data;
    EXPECT_FALSE(ends(metered({kMetering, more}))) << more.data;
    EXPECT_TRUE(ends(metered({kMetering, more, kMetering}))) << more.data;
    EXPECT_TRUE(ends(read({metadata("end_turn"), kMetering, more}, AnswerEnd::metering)))
        << "a reason was said";
  }
  const Frames says_nothing = {
      text(""),     thought(R"("text":"")"),     thought(R"("redactedContent":"x")"),
      metadata(""), {"contextUsageEvent", "{}"}, {"codeEvent", R"({"content":"a"})"}};
  for (const wire::Frame& nothing : says_nothing)
    EXPECT_TRUE(ends(metered({text("a"), kMetering, nothing}))) << nothing.event;
  EXPECT_FALSE(ends(metered({open, kMetering})));
  EXPECT_FALSE(ends(metered({open, kMetering, stop})));
  EXPECT_TRUE(ends(metered({open, stop, kMetering})));
  EXPECT_TRUE(ends(metered({open, stop, kMetering, stop}))) << "the call has stopped";
  EXPECT_FALSE(ends(metered({open, call(R"("toolUseId":"j","name":"f","stop":true)"), kMetering})));
  EXPECT_TRUE(ends(read({open, metadata("end_turn")}))) << "the reason stops it";
  EXPECT_FALSE(ends(metered({text("a"), kMetering}, turn::BodyEnd::closed)));
  EXPECT_TRUE(ends(
      read({text("a"), metadata("end_turn"), kMetering}, AnswerEnd::metering, {}, turn::BodyEnd::closed)));
}

std::string read_error(const std::string& word, const std::string& data) {
  wire::Frame frame{"error", data};
  frame.error = word;
  return read({frame});
}

TEST(KiroReader, Errors) {
  for (const auto& [word, kind] :
       std::vector<std::pair<std::string, std::string>>{{"ThrottlingException", "rate_limit"},
                                                        {"ServiceQuotaExceededException", "rate_limit"},
                                                        {"validationException", "invalid_request"},
                                                        {"AccessDeniedException", "permission"},
                                                        {"ExpiredTokenException", "authentication"},
                                                        {"ResourceNotFoundException", "not_found"},
                                                        {"modelTimeoutException", "timeout"},
                                                        {"serviceUnavailableException", "overloaded"},
                                                        {"internalServerException", "api"},
                                                        {"", "api"}}) {
    EXPECT_EQ(read_error(word, R"({"message":"m"})"), "failure(" + kind + ",m)") << word;
    EXPECT_EQ(read({{"error", R"({"__type":"com.amazon#)" + word + R"(","message":"m"})"}}),
              "failure(" + kind + ",m)");
  }
  EXPECT_EQ(read_error("E", R"({"Message":"m"})"), "failure(api,m)");
  EXPECT_EQ(read_error("E", "no JSON"), "failure(api,the upstream reported an error)");
  const auto bare = [](const std::string& body) { return read({wire::Frame{"", body, true, false, true}}); };
  EXPECT_EQ(bare(R"({"__type":"ThrottlingException","message":"m"})"), "failure(rate_limit,m)");
  EXPECT_EQ(bare("{"), "failure(api,the upstream's answer is no event stream, and is not JSON)");
}

TEST(KiroReader, UnreadableFrameIsAnErrorIfItsEventIsKnown) {
  for (const char* name : {"assistantResponseEvent", "reasoningContentEvent", "toolUseEvent", "meteringEvent",
                           "metadataEvent"}) {
    EXPECT_EQ(read({{name, "{"}}), "failure(api,a frame of the upstream is not JSON)");
    EXPECT_EQ(read({text("a"), {name, "[]"}}),
              "text(a) failure(api,a frame of the upstream is not a JSON object)");
    EXPECT_EQ(read({{name, "{\"content\":\"\xFF\"}"}}), "failure(api,a frame of the upstream is not JSON)");
    EXPECT_EQ(read({{name, "{\"a\":[[]]}"}}, AnswerEnd::metadata, Limits{.json_depth = 2}),
              "failure(api,a frame of the upstream nests deeper than 2 levels)");
  }
  for (const char* name : {"", "codeEvent", "contextUsageEvent", "\xFF"}) EXPECT_EQ(read({{name, "{"}}), "");
  wire::Frame damaged;
  damaged.damage = "has a wrong checksum";
  EXPECT_EQ(read({damaged}), "failure(api,a frame of the upstream has a wrong checksum)");
  EXPECT_EQ(read({wire::Frame{"", "", true, true}}),
            "failure(api,a frame of the upstream is larger than 16777216 bytes)");
}

TEST(KiroReader, CallsAreBounded) {
  std::vector<std::string> many;
  for (int i = 0; i < 50; ++i) many.push_back(R"("id":"i)" + std::to_string(i) + "\"");
  Frames frames;
  for (const std::string& said : many) frames.push_back({"toolUseEvent", "{" + said + "}"});
  EXPECT_EQ(read(frames, AnswerEnd::metadata, Limits{.calls = 2}), "call0(i0,,) call1(i1,,) call2(i2,,)");
}

// Reads whole bodies through the translator.

TranslatorOptions options(AnswerEnd end = AnswerEnd::metadata) {
  TranslatorOptions options;
  options.upstream = find_upstream("kiro.eventstream");
  options.dialect.answer_end = end;
  return options;
}

std::string translated(const std::string& body, const TranslatorOptions& how = options(),
                       turn::BodyEnd end = turn::BodyEnd::complete) {
  Translator translator(how);
  std::string out;
  translator.feed(body, out);
  translator.finish(end, out);
  return out;
}

bool finishes(const std::string& out) { return out.find("message_stop") != std::string::npos; }

bool fails(const std::string& out) { return out.find("event: error") != std::string::npos; }

std::string said(const std::string& content) {
  return event("assistantResponseEvent", R"({"content":")" + content + "\"}");
}

std::string called(const std::string& members) { return event("toolUseEvent", "{" + members + "}"); }

std::string stopped(const std::string& reason) {
  return event("metadataEvent", R"({"stopReason":")" + reason + "\"}");
}

// Each contains all possible events of its form.
std::vector<std::string> bodies() {
  const std::string usage = event("contextUsageEvent", R"({"contextUsagePercentage":1.5})") +
                            event("meteringEvent", R"({"usage":1})");
  return {
      said("ha") + said("ha") + said("\xE5\x8C\x97 <think>") + usage + stopped("end_turn"),
      event("reasoningContentEvent", R"({"text":"hm"})") +
          event("reasoningContentEvent", R"({"text":"","signature":"c2ln"})") + said(R"(\ud83d\ude00)") +
          called(R"("toolUseId":"t1","name":"f","input":"{\"a\":")") +
          called(R"("toolUseId":"t1","name":"f","input":"1}")") + called(R"("toolUseId":"t1","stop":true)") +
          called(R"("toolUseId":"t2","name":"g","input":{"b" : 2.0},"stop":true)") + stopped("TOOL_USE"),
      called(R"("name":"f","stop":true)") + said("cut") + stopped("max_tokens"),
  };
}

TEST(KiroStreams, AreTranslated) {
  const std::vector<std::string> streams = bodies();
  for (const std::string& body : streams) {
    EXPECT_TRUE(finishes(translated(body)));
    EXPECT_FALSE(fails(translated(body)));
  }
  const std::string out = translated(streams[1]);
  for (const char* part :
       {R"("thinking":"hm")", R"("signature":"c2ln")", "\xF0\x9F\x98\x80", R"("id":"t1","name":"f")",
        R"("partial_json":"{\"b\" : 2.0}")", R"("stop_reason":"tool_use")"})
    EXPECT_NE(out.find(part), std::string::npos) << part;
  EXPECT_NE(translated(streams[2]).find(R"("stop_reason":"max_tokens")"), std::string::npos);
}

// From every third place to every other; in sanitized builds from every forty-first.
TEST(KiroStreams, CutsDoNotShow) {
  constexpr std::size_t kStep = kSanitized ? 41 : 3;
  std::size_t pairs = 0;
  const std::vector<std::string> streams = bodies();
  for (std::size_t number = 0; number < std::max(streams.size(), clients().size()); ++number) {
    const std::string& body = streams[number % streams.size()];
    TranslatorOptions how = options();
    how.client = &clients()[number % clients().size()];
    Translator before(how);
    std::string out;
    for (std::size_t i = 0; i <= body.size(); ++i) {
      Translator slow = before;
      std::string slowly = out;
      for (std::size_t j = i; j <= body.size() && i % kStep == 0; ++j, ++pairs) {
        Translator at_once = before;
        std::string said = out;
        at_once.feed(std::string(body, i, j - i), said);
        ASSERT_EQ(at_once, slow) << number << ": " << i << " " << j;
        ASSERT_EQ(said, slowly);
        if (j < body.size()) slow.feed(body.substr(j, 1), slowly);
      }
      if (i < body.size()) before.feed(body.substr(i, 1), out);
    }
  }
  std::cout << pairs << " pairs of cuts\n";
  EXPECT_GT(pairs, 500'000U / kStep);
}

TEST(KiroStreams, DamagedByteIsAnErrorAndNeverAFinish) {
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

TEST(KiroStreams, BodyThatIsCutOffIsAnErrorAndNeverAFinish) {
  for (const std::string& body : bodies()) {
    for (std::size_t size = 0; size < body.size(); ++size) {
      const std::string out = translated(body.substr(0, size));
      ASSERT_TRUE(fails(out) && !finishes(out)) << size;
    }
    for (const turn::BodyEnd end : {turn::BodyEnd::reset, turn::BodyEnd::stall})
      EXPECT_TRUE(fails(translated(body, options(), end)));
  }
  const std::string metered = said("a") + event("meteringEvent", R"({"usage":1})");
  EXPECT_TRUE(fails(translated(metered)));
  EXPECT_TRUE(finishes(translated(metered, options(AnswerEnd::metering))));
  EXPECT_TRUE(fails(translated(metered + std::string(1, '\0'), options(AnswerEnd::metering))));
  for (const std::string& body :
       {metered + said("b"), metered + called(R"("id":"i","name":"f","stop":true)")}) {
    const std::string out = translated(body, options(AnswerEnd::metering));
    EXPECT_TRUE(fails(out) && !finishes(out)) << body;
  }
  const std::string out = translated(metered, options(AnswerEnd::metering), turn::BodyEnd::closed);
  EXPECT_TRUE(fails(out) && !finishes(out));
}

TEST(KiroStreams, ArgumentsThatAreNoObjectAreAnError) {
  for (const char* input : {R"("{\"a\":")", R"("[]")", R"("{}{}")", R"("x")"}) {
    const std::string body =
        called(R"("toolUseId":"t","name":"f","input":)" + std::string(input) + R"(,"stop":true)");
    EXPECT_TRUE(fails(translated(body + stopped("tool_use")))) << input;
  }
}

TEST(KiroStreams, ExceptionsAreErrors) {
  for (const std::string& before : {std::string(), said("a"), said("a") + stopped("end_turn")}) {
    const std::string out = translated(before + exception("ThrottlingException", R"({"message":"slow"})"));
    EXPECT_TRUE(fails(out) && !finishes(out));
    EXPECT_NE(out.find(R"("type":"rate_limit_error","message":"slow")"), std::string::npos);
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::kiro_eventstream::reader_test
