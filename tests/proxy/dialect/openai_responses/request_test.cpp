#include "proxy/dialect/openai_responses/request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/ollama_chat/request.hpp"
#include "proxy/dialect/openai_chat/request.hpp"

namespace splitproof::proxy::dialect::openai_responses::request_test {
namespace {

using nlohmann::json;

std::string request_with(const std::string& more) {
  return R"({"model":"m","input":"Hi")" + (more.empty() ? "" : "," + more) + "}";
}

std::string request_of(const std::string& items) { return R"({"model":"m","input":)" + items + "}"; }

tl::expected<request::Asked, request::Refusal> read(const std::string& request) {
  return read_responses_request(request, Limits{});
}

std::string refusal_of(const std::string& request) {
  const auto asked = read(request);
  return asked ? "translated: " + write_chat_request(*asked, {}) : asked.error().message;
}

json chat(const std::string& request) {
  const auto asked = read(request);
  const std::string body = asked ? write_chat_request(*asked, {}) : "";
  EXPECT_TRUE(asked) << asked.error().message;
  const json value = json::parse(body, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << body;
  return value;
}

json messages(const std::string& items) { return chat(request_of(items)).value("messages", json()); }

TEST(ResponsesRequest, WhatIsAskedForIsAskedOfChat) {
  json plain = json::parse(R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":true,
      "stream_options":{"include_usage":true}})");
  EXPECT_EQ(chat(request_with("")), plain);
  EXPECT_FALSE(read(request_with(""))->stream);
  EXPECT_TRUE(read(request_with(R"("stream":true)"))->stream);
  for (
      const auto& [members, added] : std::vector<std::pair<std::string, std::string>>{
          {R"("max_output_tokens":7,"temperature":0.50,"top_p":1)",
           R"({"max_tokens":7,"temperature":0.50,"top_p":1})"},
          {R"("reasoning":{"effort":"low","summary":"auto"})", R"({"reasoning_effort":"low"})"},
          {R"("text":{"format":{"type":"json_object"}})", R"({"response_format":{"type":"json_object"}})"},
          {R"("text":{"verbosity":"low","format":{"type":"json_schema","name":"n","strict":true,"schema":{"a":1}}})",
           R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"a":1}}}})"},
          {R"("text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"parallel_tool_calls":false)",
           "{}"},
          {R"("store":true,"include":["reasoning.encrypted_content"],"metadata":{"a":"b"},"user":"u","truncation":"auto",
             "prompt_cache_key":"k","client_metadata":{},"service_tier":"auto","background":false,"previous_response_id":null)",
           "{}"}}) {
    SCOPED_TRACE(members);
    json expected = plain;
    expected.update(json::parse(added));
    EXPECT_EQ(chat(request_with(members)), expected);
  }
}

TEST(ResponsesRequest, WhatTheAssistantSaidInARowIsOneMessage) {
  EXPECT_EQ(
      messages(
          R"([{"role":"developer","content":"d"},{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]},
      {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"x"},
      {"type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]},
      {"type":"function_call","call_id":"c1","name":"f","arguments":"{\"n\":12345678901234567890}","status":"completed"},
      {"type":"custom_tool_call","call_id":"c2","name":"p","input":"x\n\"y\""},
      {"type":"custom_tool_call_output","call_id":"c2","output":"r2"},
      {"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"r1"}]},
      {"role":"user","content":"v"},{"role":"developer","content":"late"}])"),
      json::parse(R"([{"role":"system","content":"d"},{"role":"user","content":"u"},
      {"role":"assistant","content":"a","tool_calls":[
        {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"n\":12345678901234567890}"}},
        {"id":"c2","type":"function","function":{"name":"p","arguments":"{\"input\":\"x\\n\\\"y\\\"\"}"}}]},
      {"role":"tool","tool_call_id":"c2","content":"r2"},{"role":"tool","tool_call_id":"c1","content":"r1"},
      {"role":"user","content":"v"},{"role":"system","content":"late"}])"));
}

TEST(ResponsesRequest, ResultsStandBehindTheirCallsWhereverTheyCame) {
  const json said = messages(
      R"([{"type":"function_call","call_id":"a","name":"f","arguments":""},{"role":"user","content":"wait"},
      {"type":"function_call_output","call_id":"a","output":[{"type":"input_image","image_url":"data:image/png;base64,QQ=="}]}])");
  EXPECT_EQ(said[0]["tool_calls"][0]["function"]["arguments"], "{}");
  EXPECT_EQ(said[1], json::parse(R"({"role":"tool","tool_call_id":"a","content":""})"));
  EXPECT_EQ(said[2]["content"][1]["image_url"]["url"], "data:image/png;base64,QQ==");
  EXPECT_EQ(said[3], json::parse(R"({"role":"user","content":"wait"})"));
}

TEST(ResponsesRequest, ArgumentsThatWereCutOffAreAnObjectAllTheSame) {
  const json said = messages(
      R"([{"type":"function_call","call_id":"a","name":"f","arguments":"{\"cmd\":\"l","status":"incomplete"},
      {"type":"function_call_output","call_id":"a","output":"no"}])");
  const json arguments = json::parse(said[0]["tool_calls"][0]["function"]["arguments"].get<std::string>());
  EXPECT_EQ(arguments, json({{"unparsed_arguments", "{\"cmd\":\"l"}}));
}

TEST(ResponsesRequest, ToolsAreFunctions) {
  const auto asked = read(request_with(
      R"("tools":[{"type":"function","name":"f","description":"d","strict":true,"parameters":{"a":1.0}},
      {"type":"function","name":"g","parameters":null,"strict":false},{"type":"web_search"},{"type":"tool_search","execution":"client"},
      {"type":"custom","name":"p","description":"e","format":{"type":"grammar","syntax":"lark","definition":"s: \"x\""}},
      {"type":"namespace","name":"n","tools":[{"type":"function","name":"f","parameters":{}}]}])"));
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(json::parse(write_chat_request(*asked, {}))["tools"], json::parse(R"([
      {"type":"function","function":{"name":"f","description":"d","strict":true,"parameters":{"a":1.0}}},
      {"type":"function","function":{"name":"g","parameters":{"type":"object","properties":{}}}},
      {"type":"function","function":{"name":"p","description":"e","parameters":{"type":"object","properties":{"input":{"type":"string",
        "description":"The whole input, as it is.\n\nIt has to match this grammar (lark):\ns: \"x\""}},"required":["input"],
        "additionalProperties":false}}},
      {"type":"function","function":{"name":"n__f","parameters":{}}}])"));
  EXPECT_EQ(asked->aliases, (request::Aliases{{"p", true, "", "p"}, {"n__f", false, "n", "f"}}));
  EXPECT_EQ(
      messages(R"([{"type":"function_call","call_id":"a","name":"f","namespace":"n","arguments":"{}"}])")
          [0]["tool_calls"][0]["function"]["name"],
      "n__f");
  EXPECT_EQ(chat(request_of(
                R"([{"type":"additional_tools","tools":[{"type":"function","name":"f","parameters":{}}]}])"))
                ["tools"]
                    .size(),
            1U);
}

TEST(ResponsesRequest, ChoiceOfTools) {
  const std::string tools = R"("tools":[{"type":"function","name":"f"},{"type":"custom","name":"p"}],)";
  EXPECT_EQ(
      chat(request_with(tools + R"("tool_choice":"required","parallel_tool_calls":false)"))["tool_choice"],
      "required");
  EXPECT_EQ(chat(request_with(tools + R"("parallel_tool_calls":false)"))["parallel_tool_calls"], false);
  EXPECT_FALSE(chat(request_with(tools + R"("tool_choice":"none")")).contains("tools"));
  EXPECT_EQ(chat(request_with(
                tools + R"("tool_choice":{"type":"custom","name":"p"})"))["tool_choice"]["function"]["name"],
            "p");
  const json allowed = chat(request_with(
      tools +
      R"("tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"}]})"));
  EXPECT_EQ(allowed["tool_choice"], "required");
  ASSERT_EQ(allowed["tools"].size(), 1U);
  EXPECT_EQ(allowed["tools"][0]["function"]["name"], "f");
}

TEST(ResponsesRequest, RefusesWhatCannotBeCarried) {
  for (const auto& [request, field] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "the request"},
           {R"({"input":"a"})", "model: "},
           {R"({"model":"m"})", "input: "},
           {request_with(R"("previous_response_id":"resp_1")"), "previous_response_id: "},
           {request_with(R"("conversation":"conv_1")"), "conversation: "},
           {request_with(R"("background":true)"), "background: "},
           {request_with(R"("prompt":{"id":"p"})"), "prompt: "},
           {request_with(R"("stream":1)"), "stream: "},
           {request_with(R"("max_output_tokens":0)"), "max_output_tokens: "},
           {request_with(R"("text":{"format":{"type":"grammar"}})"), "text.format.type: "},
           {request_with(R"("text":{"format":{"type":"json_schema","name":"n"}})"), "text.format.schema: "},
           {request_with(R"("tools":[{"type":"web_search"},{"type":"mcp"}])"), "tools.1.type: "},
           {request_with(R"("tools":[{"type":"function","name":"f"},{"type":"custom","name":"f"}])"),
            "tools.1.name: "},
           {request_with(R"("tool_choice":{"type":"function","name":"f"})"), "tool_choice: "},
           {request_with(R"("tools":[{"type":"web_search"}],"tool_choice":{"type":"web_search"})"),
            "tool_choice"},
           {request_with(R"("tool_choice":"required")"), "tool_choice: "},
           {request_with(R"("tool_choice":"any")"), "tool_choice: "},
           {request_of(R"([{"type":"item_reference"}])"), "input.0.id: "},
           {request_of(R"([{"type":"item_reference","id":"x"}])"), "input.0.id: "},
           {request_of(R"([{"type":"item_reference","id":"msg_0000000000000abc_0"}])"), "input.0.id: "},
           {request_of(R"([{"type":"item_reference","id":"rs_0000000000000abc"}])"), "input.0.id: "},
           {request_of(R"([{"type":"item_reference","id":"rs_0000000000000abc_"}])"), "input.0.id: "},
           {request_of(R"([{"type":"item_reference","id":"rs_0000000000000abcd_0"}])"), "input.0.id: "},
           {request_of(R"([{"type":"item_reference","id":"rs_0000000000000abg_0"}])"), "input.0.id: "},
           {request_of(R"([{"type":"web_search_call","id":"x"}])"), "input.0.type: "},
           {request_of(R"([{"role":"tool","content":"a"}])"), "input.0.role: "},
           {request_of(R"([{"role":"user","content":[{"type":"input_file","file_id":"f"}]}])"),
            "input.0.content.0.type: "},
           {request_of(R"([{"role":"user","content":[{"type":"input_image","file_id":"f"}]}])"),
            "input.0.content.0: "},
           {request_of(R"([{"role":"user"}])"), "input.0.content: "},
           {request_of(R"([{"type":"function_call","name":"f","arguments":"{}"}])"), "input.0.call_id: "}}) {
    EXPECT_EQ(refusal_of(request).substr(0, field.size()), field) << request;
  }
}

// Clients refer to it because they believe that it is stored.
TEST(ResponsesRequest, ReferencesToOwnReasoningAreLeftOut) {
  const std::string call = R"({"type":"function_call","call_id":"c","name":"f","arguments":"{}"})";
  const std::string result = R"({"type":"function_call_output","call_id":"c","output":"1"})";
  for (const char* id : {"rs_0000000000000abc_0", "rs_ffffffffffffffff_12"}) {
    const std::string reference = R"({"type":"item_reference","id":")" + std::string(id) + R"("})";
    const auto asked = read(request_of("[" + reference + "," + call + "," + result + "]"));
    ASSERT_TRUE(asked) << id;
    EXPECT_EQ(asked->turns, read(request_of("[" + call + "," + result + "]"))->turns);
  }
}

TEST(ResponsesRequest, OllamaIsAskedTheSame) {
  const auto asked = read(
      R"({"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,QQ=="}]},
          {"role":"system","content":"late"}],"text":{"format":{"type":"json_schema","name":"n","schema":{"a":1}}}})");
  ASSERT_TRUE(asked);
  const json body = json::parse(write_ollama_request(*asked, {}));
  EXPECT_EQ(
      body["messages"],
      json::parse(R"([{"role":"user","content":"","images":["QQ=="]},{"role":"system","content":"late"}])"));
  EXPECT_EQ(body["format"], json::parse(R"({"a":1})"));
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_responses::request_test
