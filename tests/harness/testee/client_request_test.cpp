#include "harness/testee/client_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace splitproof::testee::client_request_test {
namespace {

using nlohmann::json;

recording::Recording recording_of(std::string body) {
  recording::Recording recording;
  recording.protocol = "openai.chat";
  recording.body = std::move(body);
  return recording;
}

recording::Recording recording_with(const std::string& client, const json& request) {
  recording::Recording recording = recording_of("");
  recording.requests = std::make_shared<const json>(json{{client, request}});
  return recording;
}

json request(const std::string& client, const recording::Recording* recording,
             const std::string& token = "sp-1") {
  const Result<std::string> body = client_request(client, recording, "fake-model", token);
  EXPECT_TRUE(body) << describe(body.error());
  return body ? json::parse(*body) : json();
}

const char* const kTwoTools =
    R"(data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read_tide","arguments":"{}"}}]}}]})"
    "\n\n"
    R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"ring","arguments":"{}"}},{"index":2,"id":"c","function":{"name":"read_tide","arguments":"{}"}},{"index":3,"id":"d","function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]})"
    "\n\ndata: [DONE]\n\n";

TEST(ClientRequest, ChatRequestFitsTheContentOfTheAnswer) {
  const recording::Recording recording = recording_of(kTwoTools);
  const json schema = {{"type", "object"}, {"additionalProperties", true}};
  const auto tool = [&](const char* name) {
    return json{
        {"type", "function"},
        {"function",
         {{"name", name}, {"description", "A tool that the answer may call."}, {"parameters", schema}}}};
  };
  EXPECT_EQ(
      request("openai.chat", &recording),
      (json{{"model", "fake-model"},
            {"messages", json::array({{{"role", "user"}, {"content", "Say what the tide does. [sp-1]"}}})},
            {"stream", true},
            {"stream_options", {{"include_usage", true}}},
            {"tools", json::array({tool("read_tide"), tool("ring")})}}));
}

TEST(ClientRequest, GeminiRequestHasItsTextInParts) {
  const auto user = [](const json& parts) { return json{{"role", "user"}, {"parts", parts}}; };
  const recording::Recording plain = recording_of("");
  EXPECT_EQ(request("google.gemini", &plain),
            (json{{"model", "fake-model"},
                  {"contents", json::array({user({{{"text", "Say what the tide does. [sp-1]"}}})})},
                  {"stream", true}}));
  const json image = {{"inlineData", {{"mimeType", "image/png"}, {"data", "AA=="}}}};
  const auto own = recording_with("google.gemini", {{"contents", json::array({user(json::array({image}))})}});
  EXPECT_EQ(request("google.gemini", &own)["contents"][0], user(json::array({image, {{"text", " [sp-1]"}}})));
  const auto none = recording_with("google.gemini", json::object());
  EXPECT_EQ(request("google.gemini", &none)["contents"], json::array({user({{{"text", " [sp-1]"}}})}));
}

TEST(ClientRequest, CallOfGeminiHasTheModelInItsPath) {
  const auto call =
      client_call("google.gemini", "/v1beta/models", R"({"model":"tide-1","stream":false,"contents":[]})");
  EXPECT_EQ(call.path, "/v1beta/models/tide-1:generateContent");
  EXPECT_EQ(call.body, R"({"contents":[]})");
  const auto other = client_call("openai.chat", "/v1/chat/completions", R"({"model":"m"})");
  EXPECT_EQ(other.path, "/v1/chat/completions");
  EXPECT_EQ(other.body, R"({"model":"m"})");
}

TEST(ClientRequest, MessagesRequestFitsTheContentOfTheAnswer) {
  const recording::Recording recording = recording_of(kTwoTools);
  const json schema = {{"type", "object"}, {"additionalProperties", true}};
  EXPECT_EQ(
      request("anthropic.messages", &recording),
      (json{{"model", "fake-model"},
            {"max_tokens", 4096},
            {"messages", json::array({{{"role", "user"}, {"content", "Say what the tide does. [sp-1]"}}})},
            {"stream", true},
            {"thinking", {{"type", "enabled"}, {"budget_tokens", 1024}}},
            {"tools", json::array({{{"name", "read_tide"},
                                    {"description", "A tool that the answer may call."},
                                    {"input_schema", schema}},
                                   {{"name", "ring"},
                                    {"description", "A tool that the answer may call."},
                                    {"input_schema", schema}}})}}));
  EXPECT_EQ(client_headers("anthropic.messages"), (Headers{{"anthropic-version", "2023-06-01"}}));
  EXPECT_EQ(client_headers("openai.chat"), Headers());
}

// An imported request exists only in the upstream's protocol.
TEST(ClientRequest, ToolsOfTheUpstreamAreOfferedInEachProtocol) {
  const json schema = {{"type", "object"}, {"properties", {{"harbour", {{"type", "string"}}}}}};
  const json function = {{"name", "read_tide"}, {"description", "Reads the tide."}, {"parameters", schema}};
  const json other = {{"name", "list_ports"}};
  recording::Recording recording = recording_with(
      "openai.chat", {{"model", "m"},
                      {"messages", json::array()},
                      {"tools", json::array({{{"type", "function"}, {"function", function}},
                                             {{"type", "custom"}, {"custom", {{"name", "shell"}}}},
                                             {{"type", "function"}, {"function", other}}})}});
  recording.body = kTwoTools;
  const json open = {{"type", "object"}, {"additionalProperties", true}};
  const std::string usual = "A tool that the answer may call.";
  EXPECT_EQ(
      request("anthropic.messages", &recording)["tools"],
      json::array({{{"name", "read_tide"}, {"description", "Reads the tide."}, {"input_schema", schema}},
                   {{"name", "list_ports"}, {"description", usual}, {"input_schema", open}},
                   {{"name", "ring"}, {"description", usual}, {"input_schema", open}}}));
  const json responses = request("openai.responses", &recording)["tools"];
  ASSERT_EQ(responses.size(), 3U);
  EXPECT_EQ(responses[0]["name"], "read_tide");
  EXPECT_EQ(responses[0]["description"], "Reads the tide.");
  EXPECT_EQ(responses[0]["parameters"], schema);
  EXPECT_EQ(request("openai.chat", &recording)["tools"].size(), 3U) << "its own, as it is";
}

TEST(ClientRequest, AsksForNothingMoreThanText) {
  const recording::Recording text =
      recording_of("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n");
  recording::Recording other = recording_of(kTwoTools);
  other.protocol = "sse";
  for (const recording::Recording* recording :
       std::initializer_list<const recording::Recording*>{nullptr, &text, &other}) {
    for (const char* const client : {"openai.chat", "anthropic.messages"}) {
      const json asked = request(client, recording);
      EXPECT_FALSE(asked.contains("tools"));
      EXPECT_FALSE(asked.contains("thinking"));
    }
  }
}

TEST(ClientRequest, TokenComesAfterTheTextOfTheLastUserMessage) {
  struct Case {
    const char* messages;
    const char* marked;
  };
  for (
      const Case& c : {
          Case{
              R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"tool","content":"c"}])",
              R"([{"role":"user","content":"a [sp-1]"},{"role":"assistant","content":"b"},{"role":"tool","content":"c"}])"},
          Case{R"([{"role":"user","content":"a"},{"role":"user","content":"b"}])",
               R"([{"role":"user","content":"a"},{"role":"user","content":"b [sp-1]"}])"},
          Case{
              R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image"}]}])",
              R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b [sp-1]"},{"type":"image"}]}])"},
          Case{
              R"([{"role":"user","content":[{"type":"tool_result","content":"a"}]}])",
              R"([{"role":"user","content":[{"type":"tool_result","content":"a"},{"type":"text","text":" [sp-1]"}]}])"},
          Case{
              R"([{"role":"user","content":null},{"role":"system"}, 7])",
              R"([{"role":"user","content":null},{"role":"system"}, 7, {"role":"user","content":" [sp-1]"}])"},
          Case{"null", R"([{"role":"user","content":" [sp-1]"}])"},
      }) {
    SCOPED_TRACE(c.messages);
    const json own = {
        {"model", "recorded"}, {"stream", true}, {"messages", json::parse(c.messages)}, {"top_k", 3}};
    const recording::Recording recording = recording_with("anthropic.messages", own);
    json expected = own;
    expected["model"] = "fake-model";
    expected["messages"] = json::parse(c.marked);
    EXPECT_EQ(request("anthropic.messages", &recording), expected);
    EXPECT_NE(request("openai.chat", &recording), expected);  // that client's own request is not recorded
  }
}

TEST(ClientRequest, RecordedModelIsKeptIfTheTargetNamesNone) {
  const recording::Recording recording = recording_with("openai.chat", {{"model", "recorded"}});
  EXPECT_EQ(json::parse(*client_request("openai.chat", &recording, "", "t"))["model"], "recorded");
}

TEST(ClientRequest, TokenComesAfterAnInputThatIsText) {
  const json own = {{"model", "recorded"}, {"input", "a"}};
  const recording::Recording recording = recording_with("openai.responses", own);
  EXPECT_EQ(request("openai.responses", &recording)["input"], "a [sp-1]");
}

TEST(ClientRequest, TokensThatDifferAreOneWithoutTheirDigits) {
  const std::string first = request_token(1, 2);
  const std::string second = request_token(1, 3);
  EXPECT_NE(first, second);
  EXPECT_EQ(without_tokens("a [" + first + "], " + second), without_tokens("a [" + second + "], " + first));
  for (const char* text : {"", "sp-", "sp-1", "sp-0123456789abcdef0", "sp-x123456789abcdef"})
    EXPECT_EQ(without_tokens(text), text);
}

TEST(ClientRequest, HasNoMarkWithoutAToken) {
  const json own{{"model", "m"}, {"messages", json::array({{{"role", "user"}, {"content", "Go on."}}})}};
  const recording::Recording recording = recording_with("openai.chat", own);
  EXPECT_EQ(json::parse(*client_request("openai.chat", &recording, "", "")), own);
}

TEST(ClientRequest, InvalidRequestIsRefused) {
  EXPECT_FALSE(client_request("kiro.eventstream", nullptr, "m", "t"));
  const recording::Recording recording = recording_with("openai.chat", 7);
  EXPECT_FALSE(client_request("openai.chat", &recording, "m", "t"));
}

}  // namespace
}  // namespace splitproof::testee::client_request_test
