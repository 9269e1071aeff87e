#include "proxy/dialect/ollama_chat/request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "proxy/dialect/anthropic_messages/request.hpp"

namespace splitproof::proxy::dialect::ollama_chat::request_test {
namespace {

using nlohmann::json;

std::string body_of(const std::string& members) {
  const auto asked = read_messages_request(R"({"model":"m","max_tokens":5,)" + members + "}", Limits{});
  return asked ? write_ollama_request(*asked, {}) : "refused: " + asked.error().message;
}

json messages_of(const std::string& messages) {
  return json::parse(body_of(R"("messages":)" + messages))["messages"];
}

TEST(OllamaRequest, AlwaysRequestsAStream) {
  const json plain = json::parse(
      R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"options":{"num_predict":5},"stream":true})");
  for (const char* stream : {"", R"(,"stream":true)", R"(,"stream":false)"})
    EXPECT_EQ(json::parse(body_of(R"("messages":[{"role":"user","content":"Hi"}])" + std::string(stream))),
              plain);
}

TEST(OllamaRequest, WritesToolsAndOptions) {
  const std::string tools = R"("tools":[{"name":"f","description":"d","input_schema":{"type":"object"}}])";
  const json body = json::parse(body_of(
      R"("messages":[{"role":"user","content":"Hi"}],"system":"S","temperature":0.5,"top_p":0.9,"stop_sequences":["x"],)" +
      tools));
  EXPECT_EQ(body["options"], json::parse(R"({"num_predict":5,"temperature":0.5,"top_p":0.9,"stop":["x"]})"));
  EXPECT_EQ(body["messages"][0], json::parse(R"({"role":"system","content":"S"})"));
  EXPECT_EQ(
      body["tools"],
      json::parse(
          R"([{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}])"));
  const std::string none =
      body_of(R"("messages":[{"role":"user","content":"Hi"}],"tool_choice":{"type":"none"},)" + tools);
  EXPECT_FALSE(json::parse(none).contains("tools"));
}

TEST(OllamaRequest, WritesCallsResultsAndImages) {
  EXPECT_EQ(
      messages_of(
          R"([{"role":"user","content":[{"type":"text","text":"See"},)"
          R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]},)"
          R"({"role":"assistant","content":[{"type":"text","text":"I look."},)"
          R"({"type":"tool_use","id":"c1","name":"f","input":{"a":[1]}}]},)"
          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"4 m","is_error":true},)"
          R"({"type":"text","text":"And?"}]}])"),
      json::parse(
          R"([{"role":"user","content":"See","images":["QUJD"]},)"
          R"({"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","function":{"name":"f","arguments":{"a":[1]}}}]},)"
          R"({"role":"tool","content":"Error:\n\n4 m","tool_name":"f","tool_call_id":"c1"},)"
          R"({"role":"user","content":"And?"}])"));
  EXPECT_NE(body_of(R"("messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[)"
                    R"({"type":"tool_use","id":"c1","name":"f","input":{"n":9007199254740993.0}}]}])")
                .find(R"("arguments":{"n":9007199254740993.0})"),
            std::string::npos);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::ollama_chat::request_test
