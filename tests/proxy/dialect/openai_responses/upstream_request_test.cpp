#include "proxy/dialect/openai_responses/upstream_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/anthropic_messages/request.hpp"
#include "proxy/dialect/openai_chat/client_request.hpp"

namespace splitproof::proxy::dialect::openai_responses::upstream_request_test {
namespace {

using nlohmann::json;

std::string written(const tl::expected<request::Asked, request::Refusal>& asked) {
  if (!asked) return "not read: " + asked.error().message;
  const auto body = write_responses_request(*asked);
  return body ? *body : "refused: " + body.error().message;
}

// Returns the upstream request for a Chat request with these messages and members.
std::string of_chat(const std::string& messages, const std::string& members = "") {
  return written(read_chat_request(
      R"({"model":"m","messages":[)" + messages + "]" + (members.empty() ? "" : "," + members) + "}",
      Limits{}));
}

json chat_member(const std::string& members, const std::string& name) {
  const json body = json::parse(of_chat(R"({"role":"user","content":"Hi"})", members));
  return body.contains(name) ? body[name] : json("absent");
}

TEST(ResponsesUpstreamRequest, AsksForAStreamAndThatNothingBeStored) {
  EXPECT_EQ(json::parse(of_chat(R"({"role":"user","content":"Hi"})")),
            json::parse(R"({"model":"m","store":false,"stream":true,
      "input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}]})"));
}

TEST(ResponsesUpstreamRequest, TheSystemPromptAreTheInstructions) {
  const json body = json::parse(of_chat(R"({"role":"system","content":"a"},{"role":"developer","content":"b"},
      {"role":"user","content":"Hi"},{"role":"system","content":"c"})"));
  EXPECT_EQ(body["instructions"], "a\n\nb");
  EXPECT_EQ(
      body["input"][1],
      json::parse(R"({"type":"message","role":"developer","content":[{"type":"input_text","text":"c"}]})"));
}

TEST(ResponsesUpstreamRequest, CallsAndResultsAreItems) {
  const std::string request = R"({"model":"m","max_tokens":9,"messages":[
      {"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]},
      {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"i","name":"f","input":{"n": 1.0}},
        {"type":"text","text":"And."},{"type":"tool_use","id":"j","name":"g","input":{}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"j","is_error":true,"content":"no"},
        {"type":"tool_result","tool_use_id":"i","content":[{"type":"text","text":"1"},{"type":"image","source":{"type":"url","url":"https://a.example/b"}}]},
        {"type":"tool_result","tool_use_id":"k","is_error":true,"content":[{"type":"image","source":{"type":"url","url":"https://a.example/b"}}]},
        {"type":"text","text":"Go on."}]}]})";
  const json body = json::parse(written(read_messages_request(request, Limits{})));
  EXPECT_EQ(body["max_output_tokens"], 16);  // the protocol's minimum
  EXPECT_EQ(body["input"], json::parse(R"([
      {"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"},{"type":"input_image","image_url":"data:image/png;base64,AA=="}]},
      {"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]},
      {"type":"function_call","call_id":"i","name":"f","arguments":"{\"n\": 1.0}"},
      {"type":"message","role":"assistant","content":[{"type":"output_text","text":"And."}]},
      {"type":"function_call","call_id":"j","name":"g","arguments":"{}"},
      {"type":"function_call_output","call_id":"j","output":"Error: no"},
      {"type":"function_call_output","call_id":"i","output":[{"type":"input_text","text":"1"},{"type":"input_image","image_url":"https://a.example/b"}]},
      {"type":"function_call_output","call_id":"k","output":[{"type":"input_text","text":"Error:"},{"type":"input_image","image_url":"https://a.example/b"}]},
      {"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}])"));
}

TEST(ResponsesUpstreamRequest, ToolsSayWhetherTheyAreStrict) {
  EXPECT_EQ(
      chat_member(
          R"("tools":[{"type":"function","function":{"name":"f","description":"d","strict":true,"parameters":{"type":"object"}}},
                                    {"type":"function","function":{"name":"g","parameters":{}}}])",
          "tools"),
      json::parse(
          R"([{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true},
                            {"type":"function","name":"g","parameters":{},"strict":false}])"));
}

TEST(ResponsesUpstreamRequest, ChoicesOfTools) {
  const std::string tools = R"("tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":)";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"("auto")", R"("absent")"},
      {R"("none")", R"("none")"},
      {R"("required")", R"("required")"},
      {R"({"type":"function","function":{"name":"f"}})", R"({"type":"function","name":"f"})"}};
  for (const auto& [in, out] : rows)
    EXPECT_EQ(chat_member(tools + in, "tool_choice"), json::parse(out)) << in;
  EXPECT_EQ(chat_member(tools + R"("auto","parallel_tool_calls":false)", "parallel_tool_calls"), false);
  EXPECT_EQ(chat_member(tools + R"("auto")", "parallel_tool_calls"), "absent");
}

TEST(ResponsesUpstreamRequest, NumbersEffortAndFormat) {
  EXPECT_EQ(chat_member(R"("temperature":0.5)", "temperature"), 0.5);
  EXPECT_EQ(chat_member(R"("top_p":0.5)", "top_p"), 0.5);
  EXPECT_EQ(chat_member(R"("reasoning_effort":"low")", "reasoning"), json::parse(R"({"effort":"low"})"));
  EXPECT_EQ(chat_member(R"("response_format":{"type":"json_object"})", "text"),
            json::parse(R"({"format":{"type":"json_object"}})"));
  EXPECT_EQ(
      chat_member(
          R"("response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{"type":"object"},"strict":true}})",
          "text"),
      json::parse(
          R"({"format":{"type":"json_schema","name":"n","description":"d","schema":{"type":"object"},"strict":true}})"));
}

TEST(ResponsesUpstreamRequest, TextsThatEndTheAnswerAreRefused) {
  EXPECT_EQ(of_chat(R"({"role":"user","content":"Hi"})", R"("stop":["x"])"),
            "refused: texts that end the answer: they have no counterpart in the upstream's protocol");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_responses::upstream_request_test
