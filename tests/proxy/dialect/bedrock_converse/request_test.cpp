#include "proxy/dialect/bedrock_converse/request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace splitproof::proxy::dialect::bedrock_converse::request_test {
namespace {

using nlohmann::json;
using request::Asked;
using request::Call;
using request::Choice;
using request::Image;
using request::Result;
using request::Role;
using request::Text;
using request::Tool;

Asked asked() {
  Asked made;
  made.model = "m";
  made.turns = {{Role::user, {Text{"Hi"}}}};
  return made;
}

json body(const Asked& made, const Knobs& knobs = {}) {
  const auto written = write_converse_request(made, knobs);
  return written ? json::parse(*written) : json(written.error().message);
}

const std::vector<Tool> kTools = {{"tide", "When it is high", R"({"type":"object"})"}, {"now", "", "{}"}};

TEST(ConverseRequest, SmallestRequest) {
  EXPECT_EQ(body(asked()), json::parse(R"({"messages":[{"role":"user","content":[{"text":"Hi"}]}]})"));
}

TEST(ConverseRequest, SystemAndSides) {
  Asked made = asked();
  made.system = {"One", " "};
  made.turns = {{Role::user, {Text{"a"}}},
                {Role::system, {Text{"Two"}}},
                {Role::user, {Text{"b"}, Text{"\\n"}}},
                {Role::assistant, {Text{" "}}},
                {Role::user, {Text{"c"}}}};
  EXPECT_EQ(body(made), json::parse(R"({"system":[{"text":"One"},{"text":"Two"}],
                            "messages":[{"role":"user","content":[{"text":"a"},{"text":"b"},{"text":"c"}]}]})"));
}

TEST(ConverseRequest, CallsAndResultsArePaired) {
  Asked made = asked();
  made.tools = kTools;
  made.turns = {
      {Role::user, {Text{"a"}}},
      {Role::assistant, {Text{"b"}, Call{"i1", "tide", R"({"n": 1.50})"}, Call{"i2", "now", "{}"}}},
      {Role::user, {Text{"c"}}},
      {Role::user, {Result{"i1", {Text{"six"}, Text{""}}, false}, Result{"i9", {Text{"old"}}, true}}}};
  const auto written = write_converse_request(made, {});
  ASSERT_TRUE(written);
  EXPECT_NE(written->find(R"("input":{"n": 1.50})"), std::string::npos) << "numbers keep their digits";
  const json messages = json::parse(*written).at("messages");
  EXPECT_EQ(messages.at(1).at("content"),
            json::parse(R"([{"text":"b"},{"toolUse":{"toolUseId":"i1","name":"tide","input":{"n":1.5}}}])"));
  EXPECT_EQ(messages.at(2).at("content"),
            json::parse(R"([{"toolResult":{"toolUseId":"i1","content":[{"text":"six"}]}},
                            {"text":"A tool failed:\nold"},{"text":"c"}])"));
}

TEST(ConverseRequest, FailedResultAndImages) {
  Asked made = asked();
  made.tools = kTools;
  made.turns = {{Role::user, {Text{"a"}, Image{"", "image/jpg", "cGlj"}}},
                {Role::assistant, {Call{"i1", "tide", "{}"}}},
                {Role::user, {Result{"i1", {Image{"", "image/png", "cA=="}}, true}}}};
  const json messages = body(made).at("messages");
  EXPECT_EQ(messages.at(0).at("content").at(1),
            json::parse(R"({"image":{"format":"jpeg","source":{"bytes":"cGlj"}}})"));
  EXPECT_EQ(messages.at(2).at("content"), json::parse(R"([{"toolResult":{"toolUseId":"i1","status":"error",
                            "content":[{"image":{"format":"png","source":{"bytes":"cA=="}}}]}}])"));
}

TEST(ConverseRequest, CallIdsFit) {
  const auto ids = [](const std::string& id) {
    Asked made = asked();
    made.tools = kTools;
    made.turns.push_back({Role::assistant, {Call{id, "tide", "{}"}}});
    made.turns.push_back({Role::user, {Result{id, {Text{"r"}}}}});
    const json messages = body(made).at("messages");
    const std::string used = messages.at(1).at("content").at(0).at("toolUse").at("toolUseId");
    EXPECT_EQ(used, messages.at(2).at("content").at(0).at("toolResult").at("toolUseId"));
    return used;
  };
  const std::string longest(64, 'a');
  EXPECT_EQ(ids(longest), longest);
  EXPECT_EQ(ids("call_A-9"), "call_A-9");
  for (const std::string& id : {longest + "a", std::string("a:b"), std::string("a.b")}) {
    const std::string used = ids(id);
    EXPECT_TRUE(used.size() <= 64 && used.find_first_of(":.") == std::string::npos) << used;
  }
  EXPECT_NE(ids("a:b"), ids("a.b"));
}

TEST(ConverseRequest, ToolsAndTheirChoice) {
  Asked made = asked();
  made.tools = kTools;
  const json tools = json::parse(R"([
      {"toolSpec":{"name":"tide","description":"When it is high","inputSchema":{"json":{"type":"object"}}}},
      {"toolSpec":{"name":"now","inputSchema":{"json":{}}}}])");
  EXPECT_EQ(body(made).at("toolConfig"), json({{"tools", tools}}));
  made.choice = Choice::any;
  EXPECT_EQ(body(made).at("toolConfig").at("toolChoice"), json::parse(R"({"any":{}})"));
  made.choice = Choice::one;
  made.chosen = "now";
  EXPECT_EQ(body(made).at("toolConfig").at("toolChoice"), json::parse(R"({"tool":{"name":"now"}})"));
}

TEST(ConverseRequest, WithoutToolsResultsBecomeWords) {
  Asked made = asked();
  made.turns.push_back({Role::assistant, {Call{"i1", "tide", "{}"}}});
  made.turns.push_back({Role::user, {Result{"i1", {Text{"six"}}}}});
  const json words =
      json::parse(R"([{"role":"user","content":[{"text":"Hi"},{"text":"A tool gave:\nsix"}]}])");
  EXPECT_EQ(body(made), json({{"messages", words}}));
  made.tools = kTools;
  made.choice = Choice::none;
  EXPECT_EQ(body(made), json({{"messages", words}}));
}

TEST(ConverseRequest, Limits) {
  Asked made = asked();
  made.max_tokens = "100";
  made.temperature = "0.70";
  made.top_p = "1";
  made.stop = {"a\\n", "b"};
  EXPECT_EQ(body(made).at("inferenceConfig"),
            json::parse(R"({"maxTokens":100,"temperature":0.7,"topP":1,"stopSequences":["a\n","b"]})"));
}

TEST(ConverseRequest, ThinkingOnlyIfTheClientAsks) {
  Asked made = asked();
  EXPECT_FALSE(body(made).contains("additionalModelRequestFields"));
  made.effort = "minimal";
  EXPECT_EQ(body(made).at("additionalModelRequestFields"),
            json::parse(R"({"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}})"));
  EXPECT_FALSE(body(made).contains("inferenceConfig"));
  Knobs knobs;
  knobs.ask_thinking = AskThinking::budget;
  EXPECT_EQ(body(made, knobs).at("additionalModelRequestFields"),
            json::parse(R"({"thinking":{"type":"enabled","budget_tokens":2048}})"));
  EXPECT_EQ(body(made, knobs).at("inferenceConfig"), json::parse(R"({"maxTokens":32000})"));
  knobs.ask_thinking = AskThinking::none;
  EXPECT_FALSE(body(made, knobs).contains("additionalModelRequestFields"));
  made.effort = "none";
  EXPECT_FALSE(body(made).contains("additionalModelRequestFields"));
}

TEST(ConverseRequest, Refusals) {
  Asked made = asked();
  made.turns.push_back({Role::user, {Image{"https://example.com/a.png", "", ""}}});
  EXPECT_EQ(body(made), "an image by its URL: has no counterpart in the upstream's protocol");
  made = asked();
  made.format.json = true;
  EXPECT_EQ(body(made), "the format of the answer: it has no counterpart in the upstream's protocol");
  made = asked();
  made.temperature = "1.5";
  EXPECT_EQ(body(made), "temperature: above 1 has no counterpart in the upstream's protocol");
  made.temperature = "1";
  EXPECT_TRUE(body(made).is_object());
}

TEST(ConverseRequest, PathsAndNames) {
  EXPECT_EQ(converse_path("", "anthropic.claude-3-haiku-20240307-v1:0", true),
            "/model/anthropic.claude-3-haiku-20240307-v1%3A0/converse-stream");
  EXPECT_EQ(
      converse_path("", "arn:aws:bedrock:us-east-1::inference-profile/m ?#%\xC3\xA9~", true),
      "/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A%3Ainference-profile%2Fm%20%3F%23%25%C3%A9~/converse-stream");
  EXPECT_EQ(converse_tool_name("Tide_7-x"), "Tide_7-x");
  EXPECT_EQ(converse_tool_name("a.b c"), "a_b_c");
  EXPECT_EQ(converse_tool_name(""), "_");
  EXPECT_EQ(converse_tool_name(std::string(70, 'a')), std::string(64, 'a'));
}

}  // namespace
}  // namespace splitproof::proxy::dialect::bedrock_converse::request_test
