// Renaming of tools and arguments in whole texts: only the mapped names change, and no other byte.

#include "harness/observe/name_map.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace splitproof::observe::name_map_test {
namespace {

using nlohmann::json;

const NameMap& map() {
  static const NameMap kMap = {
      {{"read",
        "Read",
        {"mcp_read"},
        {{"", "filePath", "file_path", {}}, {"", "mode", "mode", {{"all", "ALL"}, {"every", "ALL"}}}},
        {{"pages"}, {}},
        {{"task_id"}, {{"prompt", "Read it."}}}},
       {"todo",
        "Todo",
        {},
        {{"todos", "priority", "activeForm", {}},
         {"todos", "status", "status", {{"completed", "completed"}, {"cancelled", "completed"}}}},
        {{}, {{"kind", "list"}}},
        {}}}};
  return kMap;
}

struct Case {
  const char* tool;
  const char* arguments;
  const char* renamed;
};

TEST(NameMap, RenamesArgumentsTowardsTheClient) {
  const Renaming renaming(&map(), {"read", "todo"});
  const std::vector<Case> cases = {
      {"Read", R"({"file_path":"/a"})", R"({"filePath":"/a"})"},
      {"Read", " {\n\"file_path\" : \"/a\" }\n", " {\n\"filePath\" : \"/a\" }\n"},
      {"Read", R"({"file\u005fpath":"/a"})", R"({"filePath":"/a"})"},
      {"Read", R"({"text":"{\"file_path\":1}"})", R"({"text":"{\"file_path\":1}"})"},
      {"Read", R"({"in":{"file_path":1},"list":[{"file_path":1}]})",
       R"({"in":{"file_path":1},"list":[{"file_path":1}]})"},
      {"Read", R"({"file_path":"/a","file_path":"/b"})", R"({"filePath":"/a","filePath":"/b"})"},
      {"Read", R"({"n":123456789012345678901234567890,"x":1.50,"file_path":"/a"})",
       R"({"n":123456789012345678901234567890,"x":1.50,"filePath":"/a"})"},
      {"Read", R"({"pages":"1","file_path":"/a"})", R"({"filePath":"/a"})"},
      {"Read", R"({"file_path":"/a", "pages":"1"})", R"({"filePath":"/a"})"},
      {"Read", R"({ "pages":"1" })", R"({ })"},
      {"Read", R"({"mode":"ALL"})", R"({"mode":"all"})"},
      {"Read", R"({"mode":"some"})", R"({"mode":"some"})"},
      {"Read", R"({"mode":["ALL"]})", R"({"mode":["ALL"]})"},
      {"Todo", R"({})", R"({"kind":"list"})"},
      {"Todo", R"({"kind":null})", R"({"kind":null})"},
      {"Todo", R"({"todos":[ {"activeForm":"x","content":"activeForm"}, 1 ],"activeForm":1})",
       R"({"todos":[ {"priority":"x","content":"activeForm"}, 1 ],"activeForm":1,"kind":"list"})"},
      {"Todo", R"({"todos":{"activeForm":1}})", R"({"todos":{"activeForm":1},"kind":"list"})"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(renaming.arguments(Towards::client, one.tool, one.arguments), one.renamed) << one.arguments;
}

TEST(NameMap, WhatIsNoObjectOrOfNoToolItKnowsStays) {
  const Renaming renaming(&map(), {"read"});
  for (const char* arguments : {"", "null", "[\"file_path\"]", "\"file_path\"", R"({"file_path":)",
                                R"({"file_path": /a})", R"({"file_path":"/a"} {})"})
    EXPECT_EQ(renaming.arguments(Towards::client, "Read", arguments), arguments);
  for (const char* tool : {"read", "READ", "Other", ""}) {
    EXPECT_EQ(renaming.arguments(Towards::client, tool, R"({"file_path":1})"), R"({"file_path":1})");
    EXPECT_EQ(renaming.name(Towards::client, tool), tool);
  }
  EXPECT_EQ(Renaming().arguments(Towards::client, "Read", R"({"file_path":1})"), R"({"file_path":1})");
}

TEST(NameMap, RenamesArgumentsTowardsTheUpstream) {
  const Renaming renaming(&map(), {"read", "todo"});
  const auto towards = [&](const char* tool, const char* arguments) {
    return renaming.arguments(Towards::upstream, tool, arguments);
  };
  EXPECT_EQ(towards("read", R"({"filePath":"/a","task_id":1})"), R"({"file_path":"/a","prompt":"Read it."})");
  EXPECT_EQ(towards("read", R"({"prompt":"x","mode":"every"})"), R"({"prompt":"x","mode":"ALL"})");
  EXPECT_EQ(towards("todo", R"({"todos":[{"status":"cancelled","priority":"low"}]})"),
            R"({"todos":[{"status":"completed","activeForm":"low"}]})");
}

// Names that exist on both sides survive the way there and back.
TEST(NameMap, ThereAndBackIsWhatItWas) {
  const Renaming renaming(&map(), {"read", "todo"});
  for (const auto& [tool, arguments] :
       {std::pair("Read", R"({"file_path": "/a", "prompt":"p", "mode":"ALL", "x":[1,{"file_path":2}]})"),
        {"Todo", R"({"todos":[{"activeForm":"a","status":"completed"},{"status":"open"}],"kind":"k"})"}}) {
    const std::string told = renaming.arguments(Towards::client, tool, arguments);
    const std::string name = renaming.name(Towards::client, tool);
    EXPECT_NE(told, arguments);
    EXPECT_EQ(renaming.arguments(Towards::upstream, name, told), arguments);
    EXPECT_EQ(renaming.name(Towards::upstream, name), tool);
  }
}

TEST(NameMap, NoTwoToolsGetOneName) {
  struct Names {
    std::vector<std::string> declared;
    std::vector<std::string> upstream;
    std::string told;  // result for the upstream's Read
  };
  const std::vector<Names> cases = {
      {{"read"}, {"Read"}, "read"},
      {{"mcp_read"}, {"Read"}, "mcp_read"},
      {{"read", "mcp_read"}, {"Read", "mcp_read"}, "read"},
      {{"mcp_read", "read"}, {"mcp_read", "Read"}, "read"},
      {{"Read"}, {"Read"}, "Read"},
      {{"Read", "read"}, {"Read", "read"}, "Read"},
      {{}, {}, "read"},
  };
  for (const Names& one : cases) {
    const Renaming renaming(&map(), one.declared);
    for (std::size_t i = 0; i < one.declared.size(); ++i)
      EXPECT_EQ(renaming.name(Towards::upstream, one.declared[i]), one.upstream[i]);
    EXPECT_EQ(renaming.name(Towards::client, "Read"), one.told);
    const bool kept = one.told == "Read";
    EXPECT_EQ(renaming.arguments(Towards::client, "Read", R"({"file_path":1})"),
              kept ? R"({"file_path":1})" : R"({"filePath":1})");
  }
}

TEST(NameMap, SaysWhetherSomethingIsTakenOutOrPutIn) {
  const Renaming renaming(&map(), {"read", "todo"});
  EXPECT_FALSE(renaming.fills(Towards::client, "Read", R"({"file_path":1})"));
  EXPECT_TRUE(renaming.fills(Towards::client, "Read", R"({"pages":1})"));
  EXPECT_TRUE(renaming.fills(Towards::client, "Todo", R"({})"));
  EXPECT_FALSE(renaming.fills(Towards::client, "Todo", R"({"kind":1})"));
  EXPECT_FALSE(renaming.fills(Towards::client, "Todo", R"([])"));
  EXPECT_FALSE(renaming.fills(Towards::client, "Other", R"({"pages":1})"));
}

TEST(NameMap, KeysOfSchemasAreRenamedAndNothingElse) {
  const Renaming renaming(&map(), {"read", "todo"});
  const json schema = json::parse(R"({"type":"object","required":["filePath","pages"],"properties":
      {"filePath":{"type":"string","description":"filePath"},"pages":{"enum":["filePath"]}}})");
  const json wanted = json::parse(R"({"type":"object","required":["file_path","pages"],"properties":
      {"file_path":{"type":"string","description":"filePath"},"pages":{"enum":["filePath"]}}})");
  EXPECT_EQ(renaming.schema("read", schema), wanted);
  EXPECT_EQ(renaming.schema("other", schema), schema);
  const json lists = json::parse(R"({"properties":{"todos":{"type":"array","items":
      {"properties":{"priority":{}},"required":["priority"]}},"priority":{}}})");
  const json renamed = json::parse(R"({"properties":{"todos":{"type":"array","items":
      {"properties":{"activeForm":{}},"required":["activeForm"]}},"priority":{}}})");
  EXPECT_EQ(renaming.schema("todo", lists), renamed);
  for (const char* odd : {"null", "[]", "1", R"({"properties":[],"required":1})", R"({"required":[1]})"})
    EXPECT_EQ(renaming.schema("read", json::parse(odd)), json::parse(odd));
}

}  // namespace
}  // namespace splitproof::observe::name_map_test
