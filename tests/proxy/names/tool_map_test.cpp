#include "proxy/names/tool_map.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <set>
#include <string>

namespace splitproof::names::tool_map_test {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const YAML::Node& node) { return node ? node.as<Texts>() : Texts(); }

std::pair<std::string, std::string> place(const std::string& key) {
  const std::size_t mark = key.find("[].");
  return mark == std::string::npos ? std::pair(std::string(), key)
                                   : std::pair(key.substr(0, mark), key.substr(mark + 3));
}

SideMembers side(const YAML::Node& tool, const std::string& name) {
  SideMembers members;
  members.strip = texts(tool["strip-for-" + name]);
  for (const auto& member : tool["defaults-for-" + name])
    members.defaults.push_back({member.first.as<std::string>(), member.second.as<std::string>()});
  return members;
}

// The built-in map equals the file, which a library reads here.
TEST(ToolMap, IsTheFile) {
  const char* const folder = std::getenv("SPLITPROOF_CONTRACTS");
  ASSERT_NE(folder, nullptr);
  ToolMap read;
  for (const auto& node : YAML::LoadFile(std::string(folder) + "/names/opencode.yaml")["tools"]) {
    MappedTool tool;
    tool.client = node["client"].as<std::string>();
    tool.upstream = node["upstream"].as<std::string>();
    tool.also = texts(node["also"]);
    for (const auto& key : node["arguments"]) {
      const auto [list, name] = place(key.first.as<std::string>());
      tool.keys.push_back({list, name, key.second.as<std::string>()});
    }
    for (const auto& key : node["values"]) {
      const auto [list, name] = place(key.first.as<std::string>());
      for (const auto& value : key.second)
        tool.values.push_back({list, name, value.first.as<std::string>(), value.second.as<std::string>()});
    }
    tool.for_client = side(node, "client");
    tool.for_upstream = side(node, "upstream");
    read.push_back(tool);
  }
  EXPECT_EQ(read.size(), 13U);
  EXPECT_EQ(map_of(Names::opencode), read);
  EXPECT_TRUE(map_of(Names::same).empty());
}

// ARG-06: no two tools share a name on either side, and no two keys of one place.
TEST(ToolMap, IsInjective) {
  std::set<std::string> clients;
  std::set<std::string> upstreams;
  for (const MappedTool& tool : map_of(Names::opencode)) {
    EXPECT_TRUE(clients.insert(tool.client).second) << tool.client;
    for (const std::string& name : tool.also) EXPECT_TRUE(clients.insert(name).second) << name;
    EXPECT_TRUE(upstreams.insert(tool.upstream).second) << tool.upstream;
    std::set<std::pair<std::string, std::string>> own;
    std::set<std::pair<std::string, std::string>> others;
    for (const KeyNames& key : tool.keys) {
      EXPECT_TRUE(own.insert({key.list, key.client}).second) << key.client;
      EXPECT_TRUE(others.insert({key.list, key.upstream}).second) << key.upstream;
    }
  }
  for (const std::string& name : upstreams) EXPECT_EQ(clients.count(name), 0U) << name;
}

}  // namespace
}  // namespace splitproof::names::tool_map_test
