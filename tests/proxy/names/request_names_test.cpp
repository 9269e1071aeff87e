#include "proxy/names/request_names.hpp"

#include <gtest/gtest.h>

#include "tests/proxy/request/requests.hpp"

namespace splitproof::names::request_names_test {
namespace {

using namespace request::requests;

TranslatorOptions bridged(std::string_view upstream, std::string_view client = "anthropic.messages") {
  TranslatorOptions options = between(client, upstream);
  options.names = Names::opencode;
  return options;
}

json tool(const char* name, const char* schema = R"({"type":"object"})") {
  return {{"name", name}, {"input_schema", json::parse(schema)}};
}

TEST(RequestNames, DeclarationsCallsAndTheChoiceAreTheUpstreams) {
  json request = messages(
      {{"tools",
        {tool("read",
              R"({"type":"object","properties":{"filePath":{"type":"string"}},"required":["filePath"]})"),
         tool("other")}},
       {"tool_choice", {{"type", "tool"}, {"name", "read"}}}});
  request["messages"] = json::parse(R"([{"role":"user","content":"filePath"},
      {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{"filePath":"/filePath"}},
        {"type":"tool_use","id":"c2","name":"other","input":{"filePath":"/a"}},
        {"type":"tool_use","id":"c3","name":"mcp_bash","input":{"command":"ls"}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"filePath"},
        {"type":"tool_result","tool_use_id":"c2","content":"r"},
        {"type":"tool_result","tool_use_id":"c3","content":"r"}]}])");
  const json asked = asked_of(bridged("openai.chat"), request);
  EXPECT_EQ(asked["tools"][0]["function"], json::parse(R"({"name":"Read","parameters":{"type":"object",
      "properties":{"file_path":{"type":"string"}},"required":["file_path"]}})"));
  EXPECT_EQ(asked["tools"][1]["function"]["name"], "other");
  EXPECT_EQ(asked["tool_choice"]["function"]["name"], "Read");
  const json& calls = asked["messages"][1]["tool_calls"];
  EXPECT_EQ(calls[0]["function"],
            json::parse(R"({"name":"Read","arguments":"{\"file_path\":\"/filePath\"}"})"));
  EXPECT_EQ(calls[1]["function"], json::parse(R"({"name":"other","arguments":"{\"filePath\":\"/a\"}"})"));
  EXPECT_EQ(calls[2]["function"]["name"], "Bash");
  EXPECT_EQ(asked["messages"][0]["content"], "filePath");
  EXPECT_EQ(asked["messages"][2]["content"], "filePath");
}

// Returns the upstream's names of the client's tools, in order.
std::vector<std::string> named(std::initializer_list<const char*> names) {
  json list = json::array();
  for (const char* name : names) list.push_back(tool(name));
  const json asked = asked_of(bridged("openai.chat"), messages({{"tools", list}}));
  std::vector<std::string> got;
  for (const json& sent : asked["tools"]) got.push_back(sent["function"]["name"]);
  return got;
}

TEST(RequestNames, NoTwoToolsGetOneName) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(named({"read", "bash"}), (Names{"Read", "Bash"}));
  EXPECT_EQ(named({"mcp_read"}), (Names{"Read"}));
  EXPECT_EQ(named({"mcp_read", "read"}), (Names{"mcp_read", "Read"}));
  EXPECT_EQ(named({"read", "Read"}), (Names{"read", "Read"}));
  EXPECT_EQ(named({"Read", "bash"}), (Names{"Read", "Bash"}));
  EXPECT_EQ(named({"TotallyMadeUpTool", "Bashful"}), (Names{"TotallyMadeUpTool", "Bashful"}));
}

TEST(RequestNames, AToolThatIsNoFunctionKeepsItsName) {
  const json asked =
      asked_of(bridged("openai.chat", "openai.responses"),
               json::parse(R"({"model":"m","input":"a","tools":[{"type":"custom","name":"edit"}]})"));
  EXPECT_EQ(asked["tools"][0]["function"]["name"], "edit");
}

TEST(RequestNames, KiroGetsNamesThatItTakes) {
  json request = messages({{"tools", {tool("todowrite"), tool("my_tool")}},
                           {"tool_choice", {{"type", "tool"}, {"name", "todowrite"}}}});
  const std::string body = body_of(bridged("kiro.eventstream"), request.dump());
  for (const char* said :
       {R"("name":"TodoWrite")", R"("name":"myTool")", "You must call the tool TodoWrite."})
    EXPECT_NE(body.find(said), std::string::npos) << said;
}

TEST(RequestNames, TheAnswerIsToldByTheClientsNames) {
  const auto own_of = [](std::initializer_list<const char*> names, const char* upstream) {
    json list = json::array();
    for (const char* name : names) list.push_back(tool(name));
    const auto written =
        upstream_request(bridged("openai.chat"), messages({{"tools", list}}).dump(), [](request::Asked&) {});
    request::Reply reply;
    reply.aliases = written->asked.aliases;
    const request::Alias* alias = reply.aliases.find(upstream);
    return alias == nullptr ? std::string(upstream) : alias->own;
  };
  EXPECT_EQ(own_of({"read"}, "Read"), "read");
  EXPECT_EQ(own_of({"mcp_read"}, "Read"), "mcp_read");
  EXPECT_EQ(own_of({"mcp_read", "read"}, "Read"), "read");
  EXPECT_EQ(own_of({}, "Read"), "read");
  EXPECT_EQ(own_of({"Read"}, "Read"), "Read");
  EXPECT_EQ(own_of({"read"}, "Other"), "Other");
}

}  // namespace
}  // namespace splitproof::names::request_names_test
