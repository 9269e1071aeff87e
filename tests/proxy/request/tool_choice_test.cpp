#include "proxy/request/tool_choice.hpp"

#include <gtest/gtest.h>

#include "tests/proxy/request/requests.hpp"

namespace splitproof::request::tool_choice_test {
namespace {

using namespace requests;

TranslatorOptions emulating(std::string_view upstream, std::string_view client = "anthropic.messages") {
  TranslatorOptions options = between(client, upstream);
  options.request.tool_choice = ToolChoice::emulate;
  return options;
}

// Returns the texts of the user's last message, in any protocol.
std::vector<std::string> last_texts(const json& asked) {
  const bool items = asked.contains("input");
  const json& last = (items ? asked["input"] : asked["messages"]).back();
  std::vector<std::string> texts;
  if (last["content"].is_string()) return {last["content"]};
  for (const json& part : last["content"]) {
    if (part.contains("text")) texts.push_back(part["text"]);
  }
  return texts;
}

struct Row {
  const char* choice;
  const char* directive;  // null: none
};

// The rows of Kiro-Go's tests, for every upstream with parts of text.
const Row kRows[] = {
    {"null", nullptr},
    {R"({"type":"auto"})", nullptr},
    {R"({"type":"any"})", "You must call at least one of the available tools."},
    {R"({"type":"tool","name":"mcp__files__read_file"})", "You must call the tool mcp__files__read_file."},
};

TEST(ToolChoiceInWords, StandsBehindWhatTheUserSaidLast) {
  for (const char* upstream : {"openai.chat", "anthropic.messages", "openai.responses"}) {
    for (const Row& row : kRows) {
      SCOPED_TRACE(std::string(upstream) + " " + row.choice);
      json request = messages({{"tools", tools({"mcp__files__read_file", "run"})}});
      if (json choice = json::parse(row.choice); !choice.is_null()) request["tool_choice"] = choice;
      request["messages"] =
          json::parse(R"([{"role":"user","content":"one"},{"role":"assistant","content":"two"},
                                            {"role":"user","content":"three"}])");
      const json asked = asked_of(emulating(upstream), request);
      std::vector<std::string> wanted = {"three"};
      if (row.directive != nullptr) wanted.emplace_back(row.directive);
      EXPECT_EQ(last_texts(asked), wanted);
      // An empty choice is relayed within its protocol, like all other members.
      const bool relayed = upstream == std::string_view("anthropic.messages") && row.directive == nullptr;
      EXPECT_EQ(asked.contains("tool_choice"), relayed && request.contains("tool_choice")) << asked;
      EXPECT_EQ(asked["tools"].size(), 2U);
      EXPECT_EQ(asked.dump().find("one\""), asked.dump().rfind("one\"")) << "said once";
    }
  }
}

TEST(ToolChoiceInWords, StandsInATurnOfResultsToo) {
  json request = messages({{"tools", tools({"read"})}, {"tool_choice", {{"type", "any"}}}});
  request["messages"] = json::parse(R"([{"role":"user","content":"a"},
      {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}])");
  EXPECT_EQ(asked_of(emulating("anthropic.messages"), request)["messages"].back()["content"],
            json::parse(R"([{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"r"}]},
                            {"type":"text","text":"You must call at least one of the available tools."}])"));
  const json chat = asked_of(emulating("openai.chat"), request)["messages"];
  EXPECT_EQ(chat[2]["role"], "tool");
  EXPECT_EQ(chat[3],
            json::parse(R"({"role":"user","content":"You must call at least one of the available tools."})"));
}

// So that nothing brings the tools back, TCH-02.
TEST(ToolChoiceInWords, NoneLeavesNeitherToolsNorCalls) {
  json request = messages({{"tools", tools({"read"})}, {"tool_choice", {{"type", "none"}}}});
  request["messages"] = json::parse(R"([{"role":"user","content":"a"},
      {"role":"assistant","content":[{"type":"text","text":"I look."},
       {"type":"tool_use","id":"c1","name":"read","input":{"x":1}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[
        {"type":"text","text":"4 m"},
        {"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]},
        {"type":"text","text":"and?"}]},
      {"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"read","input":{}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"ok"}]}])");
  const json asked = asked_of(emulating("openai.chat"), request);
  EXPECT_EQ(asked["messages"], json::parse(R"([{"role":"user","content":"a"},
      {"role":"assistant","content":"I look."},
      {"role":"user","content":[{"type":"text","text":"A tool failed:\n4 m"},
        {"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}},{"type":"text","text":"and?"}]},
      {"role":"user","content":"A tool gave:\nok"}])"));
  for (const proxy::dialect::UpstreamRow& upstream : proxy::dialect::upstreams()) {
    if (upstream.protocol == "anthropic.messages") continue;  // the words below are its own
    const std::string body = body_of(emulating(upstream.protocol), request.dump());
    for (const char* word :
         {"tool_calls", "\"tools\"", "tool_choice", "toolUse", "toolResult", "function_call", "c1", "read"})
      EXPECT_EQ(body.find(word), std::string::npos) << upstream.protocol << " " << word;
  }
  const std::string body = body_of(emulating("anthropic.messages"), request.dump());
  for (const char* word : {"tool_use", "tool_result", "\"tools\"", "tool_choice"})
    EXPECT_EQ(body.find(word), std::string::npos) << word;
}

// It does not repeat its own sentence, and a conversation keeps its id.
TEST(ToolChoiceInWords, KiroSaysItAnyway) {
  for (const char* choice : {"auto", "any", "none"}) {
    const std::string request =
        messages({{"tools", tools({"a_b"})}, {"tool_choice", {{"type", choice}}}}).dump();
    const TranslatorOptions as_ever = between("anthropic.messages", "kiro.eventstream");
    EXPECT_EQ(body_of(emulating("kiro.eventstream"), request), body_of(as_ever, request)) << choice;
  }
  const json named =
      messages({{"tools", tools({"a_b"})}, {"tool_choice", {{"type", "tool"}, {"name", "a_b"}}}});
  EXPECT_NE(body_of(emulating("kiro.eventstream"), named.dump()).find("You must call the tool aB."),
            std::string::npos);
}

TEST(ToolChoiceInWords, EveryClientIsObeyed) {
  const json chat =
      json::parse(R"({"model":"m","messages":[{"role":"user","content":"Hi"}],"tool_choice":"required",
      "tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]})");
  const json responses =
      json::parse(R"({"model":"m","input":"Hi","tool_choice":{"type":"function","name":"f"},
      "tools":[{"type":"function","name":"f","parameters":{"type":"object"}}]})");
  EXPECT_EQ(last_texts(asked_of(emulating("anthropic.messages", "openai.chat"), chat)),
            (std::vector<std::string>{"Hi", "You must call at least one of the available tools."}));
  EXPECT_EQ(last_texts(asked_of(emulating("openai.chat", "openai.responses"), responses)),
            (std::vector<std::string>{"Hi", "You must call the tool f."}));
  // Within one protocol too: then the request cannot be relayed.
  EXPECT_EQ(last_texts(asked_of(emulating("openai.chat", "openai.chat"), chat)),
            (std::vector<std::string>{"Hi", "You must call at least one of the available tools."}));
}

TEST(Directive, NeedsToolsAndAChoice) {
  Asked asked;
  asked.choice = Choice::any;
  EXPECT_EQ(directive(asked), "");
  asked.tools = {{"f", {}, "{}", false}};
  EXPECT_NE(directive(asked), "");
  for (const Choice choice : {Choice::automatic, Choice::none}) {
    asked.choice = choice;
    EXPECT_EQ(directive(asked), "");
  }
}

}  // namespace
}  // namespace splitproof::request::tool_choice_test
