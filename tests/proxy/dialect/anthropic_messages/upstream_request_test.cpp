#include "proxy/dialect/anthropic_messages/upstream_request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/openai_chat/client_request.hpp"
#include "proxy/dialect/openai_responses/request.hpp"

namespace splitproof::proxy::dialect::anthropic_messages::upstream_request_test {
namespace {

using nlohmann::json;

using ReadRequest = tl::expected<request::Asked, request::Refusal> (*)(std::string_view, const Limits&);

std::string written(ReadRequest read, const std::string& request, const Knobs& knobs) {
  const auto asked = read(request, Limits{});
  if (!asked) return "not read: " + asked.error().message;
  const auto body = write_messages_request(*asked, knobs);
  return body ? *body : "refused: " + body.error().message;
}

// Returns the upstream request for a Chat request with one user turn and these members.
std::string of_chat(const std::string& members, const Knobs& knobs = {}) {
  return written(read_chat_request,
                 R"({"model":"m","messages":[{"role":"user","content":"Hi"}])" +
                     (members.empty() ? "" : "," + members) + "}",
                 knobs);
}

json chat_member(const std::string& members, const std::string& name, const Knobs& knobs = {}) {
  const json body = json::parse(of_chat(members, knobs));
  return body.contains(name) ? body[name] : json("absent");
}

// Returns the upstream request for these items.
json of_items(const std::string& items) {
  return json::parse(written(read_responses_request, R"({"model":"m","input":[)" + items + "]}", {}));
}

TEST(MessagesUpstreamRequest, AsksForAStreamWithALimit) {
  EXPECT_EQ(json::parse(of_chat("")), json::parse(R"({"model":"m","max_tokens":32000,"stream":true,
      "messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})"));
  EXPECT_EQ(chat_member(R"("max_tokens":7)", "max_tokens"), 7);
  Knobs knobs;
  knobs.max_tokens = 9;
  EXPECT_EQ(chat_member("", "max_tokens", knobs), 9);
}

TEST(MessagesUpstreamRequest, WhatTheSystemSaysIsItsPrompt) {
  const json body = of_items(R"({"role":"system","content":"a\nb"},{"role":"developer","content":"c"},
      {"role":"user","content":"Hi"},{"role":"developer","content":"d"})");
  EXPECT_EQ(body["system"],
            json::parse(
                R"([{"type":"text","text":"a\nb"},{"type":"text","text":"c"},{"type":"text","text":"d"}])"));
  EXPECT_EQ(body["messages"].size(), 1U);
}

TEST(MessagesUpstreamRequest, CallsAndResults) {
  const json body = of_items(R"(
      {"role":"user","content":[{"type":"input_text","text":"Hi"},{"type":"input_image","image_url":"data:image/png;base64,AA=="},
                                {"type":"input_image","image_url":"https://a.example/b"}]},
      {"role":"assistant","content":[{"type":"output_text","text":"I look."}]},
      {"type":"function_call","call_id":"call_1","name":"f","arguments":"{\"n\": 12345678901234567890}"},
      {"type":"function_call","call_id":"c:2","name":"g","arguments":""},
      {"type":"function_call_output","call_id":"c:2","output":""},
      {"type":"function_call_output","call_id":"call_1","output":[{"type":"input_text","text":"1"},
                                {"type":"input_image","image_url":"data:image/png;base64,AA=="}]},
      {"role":"user","content":"And?"})");
  EXPECT_EQ(body["messages"], json::parse(R"([
      {"role":"user","content":[{"type":"text","text":"Hi"},
        {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},
        {"type":"image","source":{"type":"url","url":"https://a.example/b"}}]},
      {"role":"assistant","content":[{"type":"text","text":"I look."},
        {"type":"tool_use","id":"call_1","name":"f","input":{"n": 12345678901234567890}},
        {"type":"tool_use","id":"toolu_x633a32","name":"g","input":{}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_x633a32"},
        {"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"1"},
          {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]}]},
      {"role":"user","content":[{"type":"text","text":"And?"}]}])"));
}

TEST(MessagesUpstreamRequest, NoTextIsBlank) {
  EXPECT_EQ(
      of_items(
          R"({"role":"user","content":"Hi"},{"role":"assistant","content":" \n"},{"role":"user","content":""})")
          ["messages"],
      json::parse(R"([{"role":"user","content":[{"type":"text","text":"Hi"}]}])"));
}

TEST(MessagesUpstreamRequest, ErrorsOfToolsAreMarked) {
  request::Asked asked;
  asked.model = "m";
  asked.turns = {{request::Role::user, {request::Result{"c", {request::Text{"no"}}, true}}}};
  EXPECT_EQ(
      json::parse(*write_messages_request(asked, {}))["messages"][0]["content"],
      json::parse(
          R"([{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"no"}],"is_error":true}])"));
}

const std::string kTools =
    R"("tools":[{"type":"function","function":{"name":"f","description":"d","strict":true,"parameters":{"type":"object"}}},
                {"type":"custom","custom":{"name":"g"}}])";

TEST(MessagesUpstreamRequest, Tools) {
  const json tools = chat_member(kTools, "tools");
  ASSERT_EQ(tools.size(), 2U);
  EXPECT_EQ(tools[0],
            json::parse(R"({"name":"f","description":"d","input_schema":{"type":"object"},"strict":true})"));
  EXPECT_EQ(tools[1]["name"], "g");
  EXPECT_EQ(tools[1]["input_schema"]["required"], json::parse(R"(["input"])"));
}

TEST(MessagesUpstreamRequest, ChoicesOfTools) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", R"("absent")"},
      {R"("tool_choice":"auto")", R"("absent")"},
      {R"("parallel_tool_calls":false)", R"({"type":"auto","disable_parallel_tool_use":true})"},
      {R"("tool_choice":"none","parallel_tool_calls":false)", R"({"type":"none"})"},
      {R"("tool_choice":"required")", R"({"type":"any"})"},
      {R"("tool_choice":"required","parallel_tool_calls":false)",
       R"({"type":"any","disable_parallel_tool_use":true})"},
      {R"("tool_choice":{"type":"function","function":{"name":"f"}})", R"({"type":"tool","name":"f"})"}};
  for (const auto& [in, out] : rows) {
    const std::string members = kTools + (in.empty() ? "" : "," + in);
    EXPECT_EQ(chat_member(members, "tool_choice"), json::parse(out)) << in;
    EXPECT_EQ(chat_member(members, "tools").size(), 2U) << in;
  }
}

TEST(MessagesUpstreamRequest, NumbersAndStops) {
  const json body = json::parse(of_chat(R"("temperature":0.5,"top_p":0.9,"stop":["a","b\n"])"));
  EXPECT_EQ(body["temperature"], 0.5);
  EXPECT_EQ(body["top_p"], 0.9);
  EXPECT_EQ(body["stop_sequences"], json::parse(R"(["a","b\n"])"));
}

TEST(MessagesUpstreamRequest, ABlankTextThatEndsTheAnswerIsRefused) {
  for (const char* stop : {R"("\n")", R"(["a"," \t"])", R"(["\u0020"])"}) {
    EXPECT_EQ(of_chat(std::string(R"("stop":)") + stop),
              "refused: texts that end the answer: a blank one has no counterpart in the upstream's protocol")
        << stop;
  }
}

TEST(MessagesUpstreamRequest, AnEffortAsksToThink) {
  Knobs budget;
  budget.ask_thinking = AskThinking::budget;
  Knobs none;
  none.ask_thinking = AskThinking::none;
  const json adaptive = json::parse(R"({"type":"adaptive"})");
  const auto tokens = [](int n) { return json{{"type", "enabled"}, {"budget_tokens", n}}; };
  const std::string medium = R"("reasoning_effort":"medium")";
  EXPECT_EQ(chat_member(medium, "thinking"), adaptive);
  EXPECT_EQ(chat_member(medium, "output_config"), json::parse(R"({"effort":"medium"})"));
  EXPECT_EQ(chat_member(R"("reasoning_effort":"minimal")", "output_config"),
            json::parse(R"({"effort":"low"})"));
  EXPECT_EQ(chat_member(medium, "thinking", budget), tokens(8192));
  EXPECT_EQ(chat_member(R"("reasoning_effort":"low")", "thinking", budget), tokens(2048));
  EXPECT_EQ(chat_member(R"("reasoning_effort":"high")", "thinking", budget), tokens(24576));
  EXPECT_EQ(chat_member(medium + R"(,"max_tokens":4096)", "thinking", budget), tokens(3072));
  for (const std::string& members :
       {std::string(), std::string(R"("reasoning_effort":"none")"), medium + R"(,"temperature":1)",
        medium + R"(,"top_p":1)", medium + "," + kTools + R"(,"tool_choice":"required")"}) {
    EXPECT_EQ(chat_member(members, "thinking"), "absent") << members;
    EXPECT_EQ(chat_member(members, "thinking", budget), "absent") << members;
  }
  EXPECT_EQ(chat_member(medium + R"(,"max_tokens":2048)", "thinking", budget), "absent");
  for (const char* member : {"thinking", "output_config"})
    EXPECT_EQ(chat_member(medium, member, none), "absent");
  EXPECT_EQ(chat_member(medium, "output_config", budget), "absent");
}

// A budget needs the thinking before the calls, which is not available.
TEST(MessagesUpstreamRequest, ResultsAreAnsweredWithoutABudget) {
  const std::string request =
      R"({"model":"m","reasoning_effort":"low","messages":[{"role":"user","content":"Hi"},
      {"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
      {"role":"tool","tool_call_id":"c","content":"1"}]})";
  Knobs budget;
  budget.ask_thinking = AskThinking::budget;
  EXPECT_FALSE(json::parse(written(read_chat_request, request, budget)).contains("thinking"));
  EXPECT_TRUE(json::parse(written(read_chat_request, request, {})).contains("thinking"));
}

TEST(MessagesUpstreamRequest, TheFormatOfTheAnswer) {
  EXPECT_EQ(
      chat_member(
          R"("response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}})",
          "output_config"),
      json::parse(R"({"format":{"type":"json_schema","schema":{"type":"object"}}})"));
  EXPECT_EQ(chat_member(R"("response_format":{"type":"text"})", "output_config"), "absent");
  EXPECT_EQ(
      of_chat(R"("response_format":{"type":"json_object"})"),
      "refused: the format of the answer: JSON without a schema has no counterpart in the upstream's protocol");
}

}  // namespace
}  // namespace splitproof::proxy::dialect::anthropic_messages::upstream_request_test
