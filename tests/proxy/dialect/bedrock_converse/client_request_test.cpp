#include "proxy/dialect/bedrock_converse/client_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/bedrock_converse/target.hpp"
#include "proxy/dialect/openai_chat/request.hpp"

namespace splitproof::proxy::dialect::bedrock_converse::client_request_test {
namespace {

using nlohmann::json;

const std::string kHi = R"("messages":[{"role":"user","content":[{"text":"Hi"}]}])";
const std::string kTools =
    R"("tools":[{"toolSpec":{"name":"f","description":"d","inputSchema":{"json":{"type":"object"}}}},{"cachePoint":{"type":"default"}}])";

// Returns the request as an upstream of Chat Completions gets it.
json upstream_of(const std::string& request) {
  const auto asked = read_converse_request(request, Limits{});
  EXPECT_TRUE(asked) << asked.error().message;
  return asked ? json::parse(write_chat_request(*asked, {})) : json();
}

std::string refusal_of(const std::string& request) {
  const auto asked = read_converse_request(request, Limits{});
  return asked ? "none" : asked.error().message;
}

TEST(ConverseClientRequest, EachMemberReachesTheUpstream) {
  const json plain = upstream_of("{" + kHi + "}");
  EXPECT_EQ(plain["messages"], json::parse(R"([{"role":"user","content":"Hi"}])"));
  const std::string function =
      R"("tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}])";
  for (const auto& [members, added] : std::vector<std::pair<std::string, std::string>>{
           {R"("inferenceConfig":{"maxTokens":7,"temperature":0.50,"topP":1,"stopSequences":["a","b"]})",
            R"({"max_tokens":7,"temperature":0.50,"top_p":1,"stop":["a","b"]})"},
           {R"("toolConfig":{)" + kTools + "}", "{" + function + "}"},
           {R"("toolConfig":{)" + kTools + R"(,"toolChoice":{"auto":{}}})", "{" + function + "}"},
           {R"("toolConfig":{)" + kTools + R"(,"toolChoice":{"any":{}}})",
            "{" + function + R"(,"tool_choice":"required"})"},
           {R"("toolConfig":{)" + kTools + R"(,"toolChoice":{"tool":{"name":"f"}}})",
            "{" + function + R"(,"tool_choice":{"type":"function","function":{"name":"f"}}})"},
           {R"("guardrailConfig":{"guardrailIdentifier":"g"},"requestMetadata":{"a":"b"},"unknown":1,
               "additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024}})",
            "{}"}}) {
    SCOPED_TRACE(members);
    json expected = plain;
    expected.update(json::parse(added));
    EXPECT_EQ(upstream_of("{" + kHi + "," + members + "}"), expected);
  }
}

TEST(ConverseClientRequest, BlocksOfMessages) {
  EXPECT_EQ(
      upstream_of(
          R"({"system":[{"text":"s"},{"cachePoint":{}},{"guardContent":{"text":{"text":"t"}}}],"messages":[
      {"role":"user","content":[{"text":"u"},{"image":{"format":"png","source":{"bytes":"AA=="}}},{"cachePoint":{}}]},
      {"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"r"}}},{"text":"a"},
        {"toolUse":{"toolUseId":"i","name":"f","input":{"n": 1.50}}},{"toolUse":{"toolUseId":"j","name":"f","input":{}}}]},
      {"role":"user","content":[{"toolResult":{"toolUseId":"j","content":[{"json":{"x":1}},{"text":"y"}]}},
        {"toolResult":{"toolUseId":"i","status":"error","content":[{"text":"no"}]}},{"text":"more"}]}],
      "toolConfig":{)" +
          kTools + "}}")["messages"],
      json::parse(R"([{"role":"system","content":"s\n\nt"},
      {"role":"user","content":[{"type":"text","text":"u"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]},
      {"role":"assistant","content":"a","tool_calls":[
        {"id":"i","type":"function","function":{"name":"f","arguments":"{\"n\": 1.50}"}},
        {"id":"j","type":"function","function":{"name":"f","arguments":"{}"}}]},
      {"role":"tool","tool_call_id":"j","content":"{\"x\":1}\n\ny"},
      {"role":"tool","tool_call_id":"i","content":"Error: no"},{"role":"user","content":"more"}])"));
}

TEST(ConverseClientRequest, ContentThatWouldChangeTheAnswerIsRefused) {
  const std::string none = "has no counterpart in the upstream's protocol";
  const std::string kind = "is a kind of content that cannot be translated";
  const auto user = [](const std::string& block) {
    return R"({"messages":[{"role":"user","content":[)" + block + "]}]}";
  };
  for (
      const auto& [request, refusal] : std::vector<std::pair<std::string, std::string>>{
          {"[]", "the request has to be a JSON object"},
          {"{}", "messages: field required"},
          {R"({"messages":[]})", "messages: has no message"},
          {R"({"messages":"Hi"})", "messages: has to be a list"},
          {R"({"messages":[{"role":"system","content":[]}]})",
           "messages.0.role: has to be user or assistant"},
          {R"({"messages":[{"role":"user","content":"Hi"}]})", "messages.0.content: has to be a list"},
          {user(R"({"document":{"name":"d"}})"), "messages.0.content.0.document: " + kind},
          {user(R"({"guardContent":{"image":{}}})"), "messages.0.content.0.guardContent: " + kind},
          {user(R"({"image":{"format":"png","source":{"s3Location":{"uri":"s3://a"}}}})"),
           "messages.0.content.0.image.source: names a file that only the provider has"},
          {user(R"({"toolResult":{"toolUseId":"i","content":[{"video":{}}]}})"),
           "messages.0.content.0.toolResult.content.0.video: " + kind},
          {R"({"messages":[{"role":"assistant","content":[{"toolUse":{"toolUseId":"i","name":"f","input":"{}"}}]}]})",
           "messages.0.content.0.toolUse.input: has to be an object"},
          {"{" + kHi + R"(,"additionalModelRequestFields":{"top_k":5}})",
           "additionalModelRequestFields.top_k: " + none},
          {"{" + kHi + R"(,"outputConfig":{"textFormat":{"type":"json_schema"}}})",
           "outputConfig.textFormat: " + none},
          {"{" + kHi + R"(,"promptVariables":{"a":{"text":"b"}}})",
           "promptVariables: refers to a prompt that only the provider has"},
          {"{" + kHi + R"(,"inferenceConfig":{"maxTokens":0}})",
           "inferenceConfig.maxTokens: has to be a whole number above 0"},
          {"{" + kHi + R"(,"inferenceConfig":{"topP":"1"}})", "inferenceConfig.topP: has to be a number"},
          {"{" + kHi + R"(,"inferenceConfig":{"stopSequences":"a"}})",
           "inferenceConfig.stopSequences: has to be a list of strings"},
          {"{" + kHi + R"(,"toolConfig":{"tools":[{"systemTool":{"name":"search"}}]}})",
           "toolConfig.tools.0: is a tool that the provider runs, which the upstream does not have"},
          {"{" + kHi + R"(,"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{}}}]}})",
           "toolConfig.tools.0.toolSpec.inputSchema.json: has to be an object"},
          {"{" + kHi + R"(,"toolConfig":{)" + kTools + R"(,"toolChoice":{"none":{}}}})",
           "toolConfig.toolChoice: has to be auto, any or tool"}})
    EXPECT_EQ(refusal_of(request), refusal) << request;
}

std::string target_of(const std::string& path) {
  const auto target = read_converse_target(path, "");
  if (!target) return is_converse_path(path) ? "own" : "none";
  return target->model + (target->stream ? " events" : " whole");
}

TEST(ConverseTarget, ModelAndFormOfTheAnswer) {
  EXPECT_EQ(target_of("/model/us.vendor.m-1:0/converse-stream"), "us.vendor.m-1:0 events");
  EXPECT_EQ(target_of("/model/m/converse"), "m whole");
  EXPECT_EQ(target_of("/model/arn%3Aaws%3Abedrock%2Fm%20%22/converse"), "arn:aws:bedrock/m \\\" whole");
  EXPECT_EQ(target_of("/model/a/b/converse"), "a/b whole");
  for (const char* own : {"/model", "/model/m", "/model//converse", "/model/converse", "/model/m/invoke",
                          "/model/m/converse-stream/", "/model/%FF/converse"})
    EXPECT_EQ(target_of(own), "own") << own;
  for (const char* other : {"/", "/models", "/v1/model/m/converse", "/modelm/converse"})
    EXPECT_EQ(target_of(other), "none") << other;
}

}  // namespace
}  // namespace splitproof::proxy::dialect::bedrock_converse::client_request_test
