#include "proxy/dialect/openai_chat/client_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/openai_chat/request.hpp"

namespace splitproof::proxy::dialect::openai_chat::client_request_test {
namespace {

using nlohmann::json;

std::string request_with(const std::string& more) {
  return R"({"model":"m","messages":[{"role":"user","content":"Hi"}])" + (more.empty() ? "" : "," + more) +
         "}";
}

std::string request_of(const std::string& messages) { return R"({"model":"m","messages":)" + messages + "}"; }

json asked_again(const std::string& request) {
  const auto asked = read_chat_request(request, Limits{});
  EXPECT_TRUE(asked) << asked.error().message;
  return asked ? json::parse(write_chat_request(*asked, {})) : json();
}

TEST(ChatClientRequest, EachMemberReachesTheUpstream) {
  json plain = json::parse(R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":true,
      "stream_options":{"include_usage":true}})");
  for (
      const auto& [members, added] : std::vector<std::pair<std::string, std::string>>{
          {R"("max_tokens":7)", R"({"max_tokens":7})"},
          {R"("max_completion_tokens":8,"temperature":0.50,"top_p":1)",
           R"({"max_tokens":8,"temperature":0.50,"top_p":1})"},
          {R"("stop":"a")", R"({"stop":["a"]})"},
          {R"("stop":["a","b"],"reasoning_effort":"low")", R"({"stop":["a","b"],"reasoning_effort":"low"})"},
          {R"("response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1},"strict":true}})",
           R"({"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1},"strict":true}}})"},
          {R"("response_format":{"type":"json_object"})", R"({"response_format":{"type":"json_object"}})"},
          {R"("tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"a":1},"strict":true}}],
             "tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false)",
           R"({"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"a":1},"strict":true}}],
             "tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false})"},
          {R"("n":1,"seed":7,"logprobs":true,"user":"u","store":false,"verbosity":"low","modalities":["text"])",
           "{}"}}) {
    SCOPED_TRACE(members);
    json expected = plain;
    expected.update(json::parse(added));
    EXPECT_EQ(asked_again(request_with(members)), expected);
  }
}

TEST(ChatClientRequest, UsageComesIfRequestedOrWithoutAStream) {
  const auto usage = [](const std::string& more) {
    return read_chat_request(request_with(more), Limits{})->usage;
  };
  EXPECT_TRUE(usage(""));
  EXPECT_FALSE(usage(R"("stream":true)"));
  EXPECT_FALSE(usage(R"("stream":true,"stream_options":{"include_usage":false})"));
  EXPECT_TRUE(usage(R"("stream":true,"stream_options":{"include_usage":true})"));
}

TEST(ChatClientRequest, Messages) {
  EXPECT_EQ(
      asked_again(request_of(
          R"([{"role":"developer","content":"d"},{"role":"system","content":[{"type":"text","text":"s"}]},
      {"role":"user","name":"bob","content":[{"type":"text","text":"u"},{"type":"image_url","image_url":{"url":"https://x/i","detail":"low"}}]},
      {"role":"assistant","content":null,"reasoning_content":"t","tool_calls":[
        {"id":"a","type":"function","function":{"name":"f","arguments":"{\"k\": 1}"}},
        {"id":"b","type":"custom","custom":{"name":"p","input":"x\ny"}}]},
      {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]},
      {"role":"tool","tool_call_id":"a","content":""},
      {"role":"assistant","content":"","refusal":"no"},{"role":"system","content":"late"}])"))["messages"],
      json::parse(R"([{"role":"system","content":"d\n\ns"},
      {"role":"user","content":[{"type":"text","text":"u"},{"type":"image_url","image_url":{"url":"https://x/i"}}]},
      {"role":"assistant","content":null,"tool_calls":[
        {"id":"a","type":"function","function":{"name":"f","arguments":"{\"k\": 1}"}},
        {"id":"b","type":"function","function":{"name":"p","arguments":"{\"input\":\"x\\ny\"}"}}]},
      {"role":"tool","tool_call_id":"b","content":"1\n\n2"},{"role":"tool","tool_call_id":"a","content":""},
      {"role":"assistant","content":"no"},{"role":"system","content":"late"}])"));
}

TEST(ChatClientRequest, CustomToolsAreFunctionsThatComeBack) {
  const auto asked = read_chat_request(
      request_with(
          R"("tools":[{"type":"custom","custom":{"name":"p","description":"d","format":{"type":"grammar",
          "grammar":{"syntax":"regex","definition":"a+"}}}},{"type":"function","function":{"name":"f"}}],
          "tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"custom","custom":{"name":"p"}}]}})"),
      Limits{});
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(asked->aliases, (request::Aliases{{"p", true, "", "p"}}));
  const json tools = json::parse(write_chat_request(*asked, {}))["tools"];
  ASSERT_EQ(tools.size(), 1U);
  EXPECT_EQ(tools[0]["function"]["parameters"]["properties"]["input"]["description"],
            "The whole input, as it is.\n\nIt has to match this grammar (regex):\na+");
}

TEST(ChatClientRequest, UntranslatableFieldIsRefused) {
  for (
      const auto& [request, field] : std::vector<std::pair<std::string, std::string>>{
          {"{", "the request"},
          {R"({"model":"m"})", "messages: "},
          {R"({"messages":[]})", "model: "},
          {request_with(R"("n":2)"), "n: "},
          {request_with(R"("functions":[])"), "functions: "},
          {request_with(R"("modalities":["text","audio"])"), "modalities: "},
          {request_with(R"("web_search_options":{})"), "web_search_options: "},
          {request_with(R"("max_completion_tokens":-1)"), "max_completion_tokens: "},
          {request_with(R"("tools":[{"type":"web_search"}])"), "tools.0.type: "},
          {request_with(R"("tool_choice":"required")"), "tool_choice: "},
          {request_with(R"("response_format":{"type":"xml"})"), "response_format.type: "},
          {request_of(R"([{"role":"function","name":"f","content":"r"}])"), "messages.0.role: "},
          {request_of(R"([{"role":"assistant","function_call":{"name":"f","arguments":"{}"}}])"),
           "messages.0.function_call: "},
          {request_of(R"([{"role":"user","content":[{"type":"input_audio"}]}])"),
           "messages.0.content.0.type: "},
          {request_of(R"([{"role":"tool","content":"r"}])"), "messages.0.tool_call_id: "},
          {request_of(
               R"([{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f"}}]}])"),
           "messages.0.tool_calls.0.function.arguments: "}}) {
    const auto asked = read_chat_request(request, Limits{});
    ASSERT_FALSE(asked) << request;
    EXPECT_EQ(asked.error().message.substr(0, field.size()), field) << request;
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_chat::client_request_test
