#include "harness/testee/in_process.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "project.hpp"

namespace splitproof::testee::in_process_test {
namespace {

// Logs its input.
class Log final : public TranslatorStream {
 public:
  void feed(std::string_view chunk, std::string& out) override { out.append("[").append(chunk).append("]"); }
  void finish(recording::End end, std::string& out) override { out.append(recording::name(end)); }
};

TEST(InProcess, HandsOverChunksAndEndInOrder) {
  const InProcess testee("log", [] { return std::make_unique<Log>(); });
  for (const recording::End end :
       {recording::End::complete, recording::End::closed, recording::End::reset, recording::End::stall}) {
    for (int again = 0; again < 2; ++again) {  // each exchange has a stream of its own
      const Observation seen = testee.observe({{"a", "", "bc"}, end});
      EXPECT_EQ(seen.body, "[a][][bc]" + std::string(recording::name(end)));
      EXPECT_EQ(seen.after_chunk, (std::vector<std::size_t>{3, 5, 9}));
    }
  }
}

TEST(InProcess, TheReferenceKnowsTheClientsToolsByItsRequest) {
  const auto streams = reference_streams(project().profile, "openai.chat", "openai.responses");
  const InProcess reference("reference", streams.value(), "openai.chat", "openai.responses");
  EXPECT_EQ(reference.client(), "openai.responses");
  recording::Recording recording;
  recording.body =
      R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"patch","arguments":"{\"input\":\"raw\"}"}}]},"finish_reason":"tool_calls"}]})"
      "\n\n";
  const auto told = [&] { return reference.observe({{recording.body}, {}, &recording}).body; };
  EXPECT_NE(told().find(R"("type":"function_call")"), std::string::npos);
  recording.requests = std::make_shared<nlohmann::json>(nlohmann::json::parse(
      R"({"openai.responses":{"model":"m","input":"a","tools":[{"type":"custom","name":"patch"}]}})"));
  EXPECT_NE(told().find(R"("name":"patch","input":"raw")"), std::string::npos);
  EXPECT_EQ(told().find(R"("type":"function_call")"), std::string::npos);
}

TEST(InProcess, TheReferenceSaysWhatItAsksOrWhyNot) {
  const auto streams = reference_streams(project().profile, "openai.chat", "anthropic.messages");
  const InProcess reference("reference", streams.value(), "openai.chat", "anthropic.messages");
  recording::Recording recording;
  const auto asks = [&](const char* request) {
    recording.requests = std::make_shared<nlohmann::json>(
        nlohmann::json{{"anthropic.messages", nlohmann::json::parse(request)}});
    return reference.asks(recording);
  };
  const Observation seen =
      asks(R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]})");
  ASSERT_EQ(seen.calls.size(), 1u);
  EXPECT_EQ(seen.calls.front().target, "/chat/completions");
  const auto body = nlohmann::json::parse(seen.calls.front().body);
  EXPECT_EQ(body["messages"][0]["content"], "Hello");
  EXPECT_FALSE(seen.http);
  const Observation refused =
      asks(R"({"model":"m","max_tokens":9,"top_k":3,"messages":[{"role":"user","content":"Hello"}]})");
  EXPECT_EQ(refused.calls.size(), 0u);
  ASSERT_TRUE(refused.http);
  EXPECT_EQ(refused.http->status, 400);
  EXPECT_NE(refused.body.find("top_k"), std::string::npos);
  EXPECT_TRUE(InProcess("log", [] { return std::make_unique<Log>(); }).asks(recording).request.empty());
}

TEST(InProcess, ReferenceRefusesKnobsItCannotPlay) {
  contract::Profile profile = project().profile;
  profile.knobs["nameless-call"] = "guess";
  const auto streams = reference_streams(profile);
  ASSERT_FALSE(streams);
  EXPECT_NE(streams.error().what.find("nameless-call: guess"), std::string::npos);
  EXPECT_NE(streams.error().hint.find("suppress"), std::string::npos);
}

// Tools come from the request. If the recording has none, one is generated.
TEST(InProcess, TheReferenceLooksForCallsOfDeclaredTools) {
  contract::Profile profile = project().profile;
  profile.knobs["leaked-markup"] = "rescue";
  const InProcess rescuing("reference", reference_streams(profile).value());
  const InProcess passing("reference", project().reference);
  recording::Recording recording = project().recording("openai.chat/text-plain");
  recording.requests = std::make_shared<const nlohmann::json>(nlohmann::json::parse(
      R"({"anthropic.messages":{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"}],)"
      R"("tools":[{"name":"read","input_schema":{"type":"object"}}]}})"));
  const std::string body =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"<function=read></function>\"}}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
  Exchange exchange{{body}, recording::End::complete};
  exchange.recording = &recording;
  EXPECT_NE(rescuing.observe(exchange).body.find("\"tool_use\""), std::string::npos);
  EXPECT_EQ(passing.observe(exchange).body.find("\"tool_use\""), std::string::npos);
  recording.requests.reset();
  EXPECT_EQ(rescuing.observe(exchange).body.find("\"tool_use\""), std::string::npos);
  // If both sides use one protocol, nothing looks for calls.
  const auto relay = reference_streams(profile, "openai.chat", "openai.chat");
  ASSERT_FALSE(relay);
  EXPECT_NE(relay.error().what.find("leaked-markup: rescue"), std::string::npos);
}

// The client's model and stop texts in the request matter.
TEST(InProcess, TheReferenceCleansUp) {
  contract::Profile profile = project().profile;
  profile.knobs["marker"] = "structural";
  profile.knobs["identity"] = "rewrite";
  profile.knobs["upstream-blocks"] = "strip";
  profile.knobs["stop-sequences"] = "cut";
  recording::Recording recording = project().recording("openai.chat/text-plain");
  recording.requests = std::make_shared<const nlohmann::json>(nlohmann::json::parse(
      R"({"anthropic.messages":{"model":"tide-2","max_tokens":9,"stop_sequences":["END"],)"
      R"("messages":[{"role":"user","content":"x"}]}})"));
  const std::string body =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I am Kiro in /opt/windsurf/x"
      "<user_information>y</user_information>.END z\"}}]}\n\n"
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n";
  Exchange exchange{{body}, recording::End::complete};
  exchange.recording = &recording;
  const std::string told = InProcess("reference", reference_streams(profile).value()).observe(exchange).body;
  EXPECT_NE(told.find(R"("text":"I am tide-2 in <workspace>.")"), std::string::npos) << told;
  EXPECT_NE(told.find(R"("stop_reason":"stop_sequence","stop_sequence":"END")"), std::string::npos) << told;
  const std::string passed = InProcess("reference", project().reference).observe(exchange).body;
  EXPECT_NE(passed.find("END z"), std::string::npos);
  for (const char* knob : {"marker", "identity", "upstream-blocks", "stop-sequences"}) {
    contract::Profile one = project().profile;
    one.knobs[knob] = profile.knobs[knob];
    const auto relay = reference_streams(one, "openai.chat", "openai.chat");
    ASSERT_FALSE(relay);
    EXPECT_NE(relay.error().what.find(knob), std::string::npos);
  }
}

// The client's tools have other names upstream.
TEST(InProcess, TheReferenceNamesToolsOtherwise) {
  contract::Profile profile = project().profile;
  profile.knobs["names"] = "opencode";
  recording::Recording recording = project().recording("openai.chat/text-plain");
  recording.requests = std::make_shared<const nlohmann::json>(nlohmann::json::parse(
      R"({"anthropic.messages":{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"}],)"
      R"("tools":[{"name":"mcp_read","input_schema":{"type":"object","properties":{"filePath":{}}}}]}})"));
  const std::string body =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":"
      "{\"name\":\"Read\",\"arguments\":\"{\\\"file_path\\\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n"
      "data: [DONE]\n\n";
  Exchange exchange{{body}, recording::End::complete};
  exchange.recording = &recording;
  const InProcess bridge("reference", reference_streams(profile).value());
  const std::string told = bridge.observe(exchange).body;
  EXPECT_NE(told.find(R"("name":"mcp_read")"), std::string::npos) << told;
  EXPECT_NE(told.find(R"({\"filePath\":1})"), std::string::npos) << told;
  const std::string asked = bridge.asks(recording).calls.at(0).body;
  EXPECT_NE(asked.find(R"("name":"Read")"), std::string::npos) << asked;
  EXPECT_NE(asked.find("file_path"), std::string::npos);
  const std::string passed = InProcess("reference", project().reference).observe(exchange).body;
  EXPECT_NE(passed.find(R"({\"file_path\":1})"), std::string::npos) << passed;
}

// A knob about requests changes the reference's upstream request. Within one protocol it is refused, because a relay
// could not apply it.
TEST(InProcess, KnobsOfRequestsSetTheReferenceUp) {
  recording::Recording recording = project().recording("openai.chat/text-plain");
  recording.requests = std::make_shared<const nlohmann::json>(nlohmann::json::parse(
      R"({"anthropic.messages":{"model":"m","max_tokens":9,"system":"cwd: /w","tool_choice":{"type":"any"},)"
      R"("messages":[{"role":"user","content":"x"},{"role":"assistant","content":"<tool_call>{}</tool_call>so"},)"
      R"({"role":"user","content":"y"}],"tools":[{"name":"look","input_schema":{"type":"object"}}]}})"));
  for (const auto& [knob, value, word] : {std::tuple("tool-choice", "emulate", "You must call"),
                                          std::tuple("environment", "lift", "## Environment facts"),
                                          std::tuple("preamble", "pr54", "Tools available this turn"),
                                          std::tuple("retention", "structured", "\"so\"")}) {
    SCOPED_TRACE(knob);
    contract::Profile profile = project().profile;
    const auto asked = [&] {
      return InProcess("reference", reference_streams(profile).value()).asks(recording).calls.at(0).body;
    };
    EXPECT_EQ(asked().find(word), std::string::npos);
    profile.knobs[knob] = value;
    EXPECT_NE(asked().find(word), std::string::npos) << asked();
    const auto relay = reference_streams(profile, "anthropic.messages", "anthropic.messages");
    ASSERT_FALSE(relay);
    EXPECT_NE(relay.error().what.find(knob), std::string::npos);
  }
}

TEST(InProcess, KnobsSetTheReferenceUp) {
  contract::Profile profile = project().profile;
  const recording::Recording& recording = project().recording("openai.chat/end-inside-text");
  profile.knobs["truncation-error"] = "overloaded_error";
  const InProcess overloaded("reference", reference_streams(profile).value());
  const InProcess plain("reference", project().reference);
  const Exchange exchange{{recording.body}, recording.end};
  EXPECT_NE(overloaded.observe(exchange).body.find("\"overloaded_error\""), std::string::npos);
  EXPECT_NE(plain.observe(exchange).body.find("\"api_error\""), std::string::npos);
}

TEST(InProcess, KnobsOfReadingSetTheReferenceUp) {
  struct Case {
    const char* recording;
    const char* knob;
    const char* value;
    const char* word;  // in the output only for this value
  };
  for (const Case& c : {Case{"openai.chat/thinking-tags", "think-tags", "leave", "<think>"},
                        Case{"openai.chat/thinking-only", "reasoning-only", "add-text", "text_delta"},
                        Case{"openai.chat/done-never", "terminal-signals", "done", "event: error"}}) {
    SCOPED_TRACE(c.knob);
    const recording::Recording& recording = project().recording(c.recording);
    contract::Profile profile = project().profile;
    const auto body = [&] {
      const InProcess testee("reference", reference_streams(profile).value());
      return testee.observe({{recording.body}, recording.end}).body;
    };
    EXPECT_EQ(body().find(c.word), std::string::npos);
    profile.knobs[c.knob] = c.value;
    EXPECT_NE(body().find(c.word), std::string::npos);
  }
}

}  // namespace
}  // namespace splitproof::testee::in_process_test
