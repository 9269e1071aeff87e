#include "proxy/dialect/kiro_eventstream/request.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "proxy/dialect/kiro_eventstream/tool_name.hpp"
#include "proxy/translator.hpp"
#include "proxy/upstream_request.hpp"
#include "tests/proxy/event_stream.hpp"

namespace splitproof::proxy::dialect::kiro_eventstream::request_test {
namespace {

using nlohmann::json;

TranslatorOptions options() {
  TranslatorOptions options;
  options.upstream = find_upstream("kiro.eventstream");
  return options;
}

tl::expected<UpstreamRequest, request::Refusal> asked(const std::string& members) {
  return upstream_request(options(), R"({"model":"m","max_tokens":5,)" + members + "}",
                          [](request::Asked&) {});
}

std::string body_of(const std::string& members) {
  const auto written = asked(members);
  return written ? written->body : "refused: " + written.error().message;
}

json state_of(const std::string& members) { return json::parse(body_of(members))["conversationState"]; }

const std::string kTools =
    R"("tools":[{"name":"mcp__files__read_file","description":"d","input_schema":{"type":"object"}}])";
const std::string kHi = R"("messages":[{"role":"user","content":"Hi"}])";

std::string with_history(const std::string& more) {
  return R"("messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"text","text":"I look."},)"
         R"({"type":"tool_use","id":"c1","name":"mcp__files__read_file","input":{"n":9007199254740993.0}},)"
         R"({"type":"tool_use","id":"c2","name":"mcp__files__read_file","input":{}}]},)"
         R"({"role":"user","content":[{"type":"text","text":"And?"},)"
         R"({"type":"tool_result","tool_use_id":"c1","content":"4 m","is_error":true},)"
         R"({"type":"tool_result","tool_use_id":"c9","content":"lost"}]}])" +
         more;
}

TEST(KiroRequest, AsksWhatTheUserSays) {
  EXPECT_EQ(json::parse(body_of(kHi + R"(,"temperature":0.5,"top_p":0.9)"))["inferenceConfig"],
            json::parse(R"({"maxTokens":5,"temperature":0.5,"topP":0.9})"));
  const json state = state_of(kHi + R"(,"system":"Be \"brief\".",)" + kTools);
  EXPECT_EQ(
      state["currentMessage"],
      json::parse(R"({"userInputMessage":{"content":"Be \"brief\".\n\nHi","modelId":"m","origin":"AI_EDITOR",
                "userInputMessageContext":{"tools":[{"toolSpecification":{"name":"mcpFilesReadFile","description":"d",
                "inputSchema":{"json":{"type":"object"}}}}]}}})"));
  EXPECT_FALSE(state.contains("history"));
}

TEST(KiroRequest, CallsAndResultsGoTogether) {
  const json state = state_of(with_history("," + kTools));
  ASSERT_EQ(state["history"].size(), 2U);
  EXPECT_EQ(state["history"][0]["userInputMessage"]["content"], "Hi");
  EXPECT_EQ(state["history"][1], json::parse(R"({"assistantResponseMessage":{"content":"I look.","toolUses":[
                {"toolUseId":"c1","name":"mcpFilesReadFile","input":{"n":9007199254740993.0}}]}})"));
  const json& current = state["currentMessage"]["userInputMessage"];
  EXPECT_EQ(current["content"], "A tool gave:\nlost\n\nAnd?");
  EXPECT_EQ(current["userInputMessageContext"]["toolResults"],
            json::parse(R"([{"toolUseId":"c1","content":[{"text":"4 m"}],"status":"error"}])"));
  EXPECT_NE(body_of(with_history("," + kTools)).find(R"("input":{"n":9007199254740993.0})"),
            std::string::npos);
}

TEST(KiroRequest, WithoutToolsThereAreNoCallsInTheHistory) {
  for (const std::string& more : {std::string(), "," + kTools + R"(,"tool_choice":{"type":"none"})"}) {
    const std::string body = body_of(with_history(more));
    for (const char* word : {"toolUses", "toolResults", "toolSpecification", "mcp"})
      EXPECT_EQ(body.find(word), std::string::npos) << word;
    EXPECT_EQ(json::parse(body)["conversationState"]["currentMessage"]["userInputMessage"]["content"],
              "A tool failed:\n4 m\n\nA tool gave:\nlost\n\nAnd?");
  }
}

TEST(KiroRequest, ChoiceIsSaidInWords) {
  const auto content = [](const std::string& choice) {
    return state_of(kHi + "," + kTools + choice)["currentMessage"]["userInputMessage"]["content"]
        .get<std::string>();
  };
  EXPECT_EQ(content(""), "Hi");
  EXPECT_EQ(content(R"(,"tool_choice":{"type":"auto"})"), "Hi");
  EXPECT_EQ(content(R"(,"tool_choice":{"type":"any"})"),
            "Hi\n\nYou must call at least one of the available tools.");
  EXPECT_EQ(content(R"(,"tool_choice":{"type":"tool","name":"mcp__files__read_file"})"),
            "Hi\n\nYou must call the tool mcpFilesReadFile.");
}

TEST(KiroRequest, SidesTakeTurns) {
  const json state = state_of(
      R"("messages":[{"role":"user","content":"a"},{"role":"user","content":"b"},{"role":"assistant","content":"c"},)"
      R"({"role":"assistant","content":"d"},{"role":"user","content":[{"type":"text","text":"e"},)"
      R"({"type":"image","source":{"type":"base64","media_type":"image/jpg","data":"QUJD"}}]}])");
  EXPECT_EQ(state["history"][0]["userInputMessage"]["content"], "a\n\nb");
  EXPECT_EQ(state["history"][1]["assistantResponseMessage"]["content"], "c\n\nd");
  EXPECT_EQ(state["currentMessage"]["userInputMessage"]["images"],
            json::parse(R"([{"format":"jpeg","source":{"bytes":"QUJD"}}])"));
  // The answer contains only a call without a result.
  const json hollow = state_of(
      R"("messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]},)"
      R"({"role":"user","content":"b"}])");
  EXPECT_FALSE(hollow.contains("history"));
  EXPECT_EQ(hollow["currentMessage"]["userInputMessage"]["content"], "a\n\nb");
}

TEST(KiroRequest, AConversationKeepsItsId) {
  const json first = state_of(kHi + "," + kTools)["conversationId"];
  EXPECT_EQ(first.get<std::string>().size(), 36U);
  EXPECT_EQ(state_of(with_history("," + kTools))["conversationId"], first);
  EXPECT_EQ(state_of(kHi + "," + kTools + R"(,"tool_choice":{"type":"any"})")["conversationId"], first);
  EXPECT_NE(state_of(R"("messages":[{"role":"user","content":"Ho"}])")["conversationId"], first);
}

TEST(KiroRequest, RefusesWhatHasNoCounterpart) {
  const std::string behind = " no counterpart in the upstream's protocol";
  TranslatorOptions ends_here = options();
  ends_here.cleaning.stop_sequences = text::StopRule::cut;
  const auto cut =
      upstream_request(ends_here, R"({"model":"m","max_tokens":5,"stop_sequences":["x"],)" + kHi + "}",
                       [](request::Asked&) {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->asked.stop, std::vector<std::string>{"x"}) << "the proxy still knows it";
  EXPECT_EQ(cut->body, body_of(kHi));
  EXPECT_EQ(body_of(kHi + R"(,"stop_sequences":["x"])"),
            "refused: texts that end the answer: they have" + behind);
  EXPECT_EQ(body_of(R"("messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"So"}])"),
            "refused: messages: the upstream's protocol needs a message of the user at the end");
  EXPECT_EQ(
      body_of(
          R"("messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"http://h/i"}}]}])"),
      "refused: an image by its URL: has" + behind);
}

TEST(KiroToolName, WhatFitsStays) {
  for (const char* name : {"f", "readFile", "X1", "Bash"}) EXPECT_EQ(kiro_tool_name(name), name);
  EXPECT_EQ(kiro_tool_name("mcp__filesystem__read_file"), "mcpFilesystemReadFile");
  EXPECT_EQ(kiro_tool_name("_a-b."), "aB");
  EXPECT_EQ(kiro_tool_name("1st"), "tool1st");
  EXPECT_EQ(kiro_tool_name("\xE5\x8C\x97"), "tool");
  EXPECT_EQ(kiro_tool_name(""), "tool");
  EXPECT_EQ(kiro_tool_name(std::string(100, 'a')), std::string(64, 'a'));
}

// Every client gets its own names back in calls, for any order of tools.
TEST(KiroToolName, NamesComeBack) {
  const std::string longest(64, 'a');
  const std::vector<std::string> names = {"a_b", "aB", "a-b", "a__b", longest + "b", longest, "1", "tool1"};
  std::string tools;
  for (const std::string& name : names)
    tools += (tools.empty() ? "" : ",") + (R"({"name":")" + name + R"(","input_schema":{"type":"object"}})");
  const auto written = asked(kHi + R"(,"tools":[)" + tools + "]");
  ASSERT_TRUE(written);
  const json sent = json::parse(written->body)["conversationState"]["currentMessage"]["userInputMessage"]
                                              ["userInputMessageContext"]["tools"];
  ASSERT_EQ(sent.size(), names.size());
  std::set<std::string> different;
  std::string body;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = sent[i]["toolSpecification"]["name"];
    EXPECT_EQ(kiro_tool_name(name), name);
    different.insert(name);
    body += event_stream::event("toolUseEvent", R"({"toolUseId":"i)" + std::to_string(i) + R"(","name":")" +
                                                    name + R"(","stop":true})");
  }
  EXPECT_EQ(different.size(), names.size());
  EXPECT_EQ(sent[1]["toolSpecification"]["name"], "aB");
  body += event_stream::event("metadataEvent", R"({"stopReason":"tool_use"})");
  for (const ClientRow& client : clients()) {
    TranslatorOptions how = options();
    how.client = &client;
    how.reply.aliases = written->asked.aliases;
    Translator translator(how);
    std::string out;
    translator.feed(body, out);
    translator.finish(turn::BodyEnd::complete, out);
    std::size_t at = 0;
    for (const std::string& name : names) {
      at = out.find("\"name\":\"" + name + "\"", at);
      ASSERT_NE(at, std::string::npos) << client.protocol << " " << name;
      ++at;
    }
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::kiro_eventstream::request_test
