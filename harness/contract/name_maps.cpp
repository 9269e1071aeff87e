#include "harness/contract/name_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/built_in.hpp"
#include "harness/contract/yaml_node.hpp"

namespace splitproof::contract {
namespace {

using observe::NameMap;
using TextPairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kOfItems = "[].";

/// Returns the keys and texts of a map; empty if the key is missing.
TextPairs texts_of(const YamlNode* node, std::string_view what) {
  TextPairs texts;
  if (node == nullptr) return texts;
  if (!node->is_map())
    refuse(node->line, fmt::format("{} must be a map", what), "write {KEY: TEXT, KEY: TEXT}");
  for (std::size_t i = 0; i < node->items.size(); ++i)
    texts.emplace_back(node->keys[i].name, scalar_text(node->items[i], what));
  return texts;
}

std::vector<std::string> names_of(const YamlNode* node, std::string_view what) {
  if (node == nullptr || (node->is_list() && node->items.empty())) return {};
  return scalar_texts(*node, what);
}

/// True for KEY and LIST[].KEY.
bool is_key(const std::string& path) {
  const std::size_t items = path.find(kOfItems);
  const std::size_t brackets = path.find("[]");
  if (items == path.npos) return !path.empty() && brackets == path.npos;
  const std::string name = path.substr(items + kOfItems.size());
  return items > 0 && brackets == items && !name.empty() && name.find("[]") == name.npos;
}

/// Returns the key `LIST[].KEY` or `KEY` on the client's side, and creates it if needed. Throws for any other
/// text.
NameMap::Key& key_of(const YamlKey& written, NameMap::Tool& tool) {
  const std::string& path = written.name;
  if (!is_key(path))
    refuse(written.line, fmt::format("'{}' is not a key of a tool's arguments", path),
           "write KEY, or LIST[].KEY for each item of a list");
  const std::size_t items = path.find(kOfItems);
  const std::string list = items == path.npos ? "" : path.substr(0, items);
  const std::string name = items == path.npos ? path : path.substr(items + kOfItems.size());
  const auto found = std::find_if(tool.keys.begin(), tool.keys.end(), [&](const NameMap::Key& key) {
    return key.list == list && key.client == name;
  });
  if (found != tool.keys.end()) return *found;
  return tool.keys.emplace_back(NameMap::Key{list, name, name, {}});
}

/// Rejects several keys of a list with one target, because that cannot be undone.
void check_keys(const NameMap::Tool& tool, std::size_t line) {
  std::set<std::pair<std::string, std::string>> upstream;
  for (const NameMap::Key& key : tool.keys) {
    if (upstream.emplace(key.list, key.upstream).second) continue;
    refuse(line, fmt::format("two arguments of '{}' become '{}'", tool.client, key.upstream),
           "give each its own key");
  }
}

/// Rejects keys that are both renamed and dropped for a side, because only one can happen.
void check_strips(const NameMap::Tool& tool, std::size_t line) {
  const auto has = [](const std::vector<std::string>& keys, const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const NameMap::Key& key : tool.keys) {
    if (!key.list.empty()) continue;
    for (const auto& [strip, name] :
         {std::pair(&tool.for_client.strip, &key.upstream), {&tool.for_upstream.strip, &key.client}}) {
      if (has(*strip, *name))
        refuse(line, fmt::format("'{}' of '{}' is both renamed and left out", *name, tool.client),
               "remove one of the two");
    }
  }
}

NameMap::Tool tool_of(const YamlNode& node) {
  const YamlMap map(node, "a tool",
                    {"client", "upstream", "also", "arguments", "strip-for-client", "strip-for-upstream",
                     "defaults-for-client", "defaults-for-upstream", "values"});
  NameMap::Tool tool;
  tool.client = scalar_text(map.need("client"), "client");
  tool.upstream = scalar_text(map.need("upstream"), "upstream");
  tool.also = names_of(map.find("also"), "also");
  if (const YamlNode* arguments = map.find("arguments")) {
    const TextPairs upstream = texts_of(arguments, "arguments");
    for (std::size_t i = 0; i < upstream.size(); ++i)
      key_of(arguments->keys[i], tool).upstream = upstream[i].second;
  }
  tool.for_client = {names_of(map.find("strip-for-client"), "strip-for-client"),
                     texts_of(map.find("defaults-for-client"), "defaults-for-client")};
  tool.for_upstream = {names_of(map.find("strip-for-upstream"), "strip-for-upstream"),
                       texts_of(map.find("defaults-for-upstream"), "defaults-for-upstream")};
  if (const YamlNode* values = map.find("values")) {
    if (!values->is_map()) refuse(values->line, "values must be a map", "write {KEY: {TEXT: TEXT}}");
    for (std::size_t i = 0; i < values->items.size(); ++i)
      key_of(values->keys[i], tool).values = texts_of(&values->items[i], "the values of a key");
  }
  check_keys(tool, node.line);
  check_strips(tool, node.line);
  return tool;
}

NameMap map_in(const YamlNode& file) {
  const YamlNode& tools = YamlMap(file, "the file", {"tools"}).need("tools");
  if (!tools.is_list() || tools.items.empty())
    refuse(tools.line, "tools must be a list of at least one tool", "write - {client:, upstream:}");
  NameMap map;
  std::set<std::string> clients;
  std::set<std::string> upstreams;
  for (const YamlNode& node : tools.items) {
    NameMap::Tool tool = tool_of(node);
    bool sound = upstreams.insert(tool.upstream).second && clients.insert(tool.client).second;
    for (const std::string& name : tool.also) sound = clients.insert(name).second && sound;
    if (!sound)
      refuse(node.line, fmt::format("'{}' has a name that another tool has too", tool.client),
             "give each tool of one side its own name");
    map.tools.push_back(std::move(tool));
  }
  // A client of the upstream's kind uses these names for its own tools, and keeps them.
  for (std::size_t i = 0; i < map.tools.size(); ++i) {
    for (const NameMap::Tool& other : map.tools) {
      const NameMap::Tool& tool = map.tools[i];
      const bool called_so = tool.client == other.upstream ||
                             std::find(tool.also.begin(), tool.also.end(), other.upstream) != tool.also.end();
      if (called_so && tool.upstream != other.upstream)
        refuse(tools.items[i].line,
               fmt::format("'{}' is the upstream's name of a tool other than '{}'", other.upstream,
                           tool.upstream),
               "rename the client's tool");
    }
  }
  return map;
}

}  // namespace

observe::NameMaps read_name_maps(const std::vector<std::filesystem::path>& dirs) {
  observe::NameMaps maps;
  for (const std::filesystem::path& dir : dirs) {
    std::error_code ignored;
    for (const std::filesystem::path& path : files_in(dir / kNamesFolder, ignored)) {
      if (path.extension() != ".yaml") continue;
      const YamlNode node = read_yaml(path.string());
      try {
        if (!maps.emplace(path.stem().string(), map_in(node)).second)
          refuse(node.line, "another map has that name", "rename the file");
      } catch (Mistake& mistake) {
        mistake.error.file = path.string();
        throw;
      }
    }
  }
  return maps;
}

}  // namespace splitproof::contract
