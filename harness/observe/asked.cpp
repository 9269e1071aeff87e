#include "harness/observe/asked.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

namespace splitproof::observe {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 6> kKinds = {"text", "thinking", "image", "call", "result", "other"};
constexpr std::array<std::string_view, 3> kTools = {"object", "text", "hosted"};

void add(json& document, const char* name, const std::optional<std::string>& value) {
  if (value) document[name] = *value;
}

/// For each id, the ascending groups that hold its calls or results.
using Groups = std::map<std::optional<std::string>, std::vector<std::size_t>>;

Groups groups_of(const AskedRequest& asked, AskedKind kind) {
  Groups groups;
  for (const AskedTurn& turn : asked.turns) {
    for (const AskedBlock& block : turn.blocks)
      if (block.kind == kind) groups[block.id].push_back(turn.group);
  }
  return groups;
}

/// Returns where a result follows a call of `group`: "never", "next" or "later".
std::string_view answered(const Groups& results, const std::optional<std::string>& id, std::size_t group) {
  const auto found = results.find(id);
  if (found == results.end() || found->second.back() <= group) return "never";
  return std::binary_search(found->second.begin(), found->second.end(), group + 1) ? "next" : "later";
}

/// Returns where a call precedes a result of `group`: "none", "before" or "earlier".
std::string_view answers(const Groups& calls, const std::optional<std::string>& id, std::size_t group) {
  const auto found = calls.find(id);
  if (found == calls.end() || found->second.front() >= group) return "none";
  return std::binary_search(found->second.begin(), found->second.end(), group - 1) ? "before" : "earlier";
}

json block_document(const AskedBlock& block) {
  json document = {
      {"at", block.at}, {"kind", kKinds[static_cast<std::size_t>(block.kind)]}, {"raw", *block.raw}};
  add(document, "text", block.text);
  add(document, "id", block.id);
  add(document, "name", block.name);
  add(document, "arguments", block.arguments);
  return document;
}

json turn_document(const AskedTurn& turn, std::size_t last, const Groups& calls, const Groups& results) {
  json document = {{"at", turn.at},    {"role", turn.role},          {"group", turn.group},
                   {"raw", *turn.raw}, {"last", turn.group == last}, {"blocks", json::array()}};
  for (const AskedBlock& block : turn.blocks) {
    json told = block_document(block);
    if (block.kind == AskedKind::call) told["answered"] = answered(results, block.id, turn.group);
    if (block.kind == AskedKind::result) told["answers"] = answers(calls, block.id, turn.group);
    document["blocks"].push_back(std::move(told));
  }
  return document;
}

}  // namespace

json asked_document(const AskedRequest& asked) {
  json document = {{"system", json::array()},    {"turns", json::array()},
                   {"tools", json::array()},     {"chosen", json::array()},
                   {"stateful", asked.stateful}, {"thinks_beyond", asked.thinks_beyond}};
  for (const AskedBlock& block : asked.system) document["system"].push_back(block_document(block));
  const Groups calls = groups_of(asked, AskedKind::call);
  const Groups results = groups_of(asked, AskedKind::result);
  for (const AskedTurn& turn : asked.turns)
    document["turns"].push_back(turn_document(turn, asked.turns.back().group, calls, results));
  if (!asked.turns.empty() && !asked.turns.back().blocks.empty())
    document["turns"].back()["blocks"].back()["end"] = true;
  for (const OfferedTool& tool : asked.tools) {
    json told = {{"at", tool.at}, {"kind", kTools[static_cast<std::size_t>(tool.kind)]}, {"raw", *tool.raw}};
    add(told, "name", tool.name);
    if (tool.schema != nullptr) told["schema"] = *tool.schema;
    document["tools"].push_back(std::move(told));
  }
  if (asked.choice) {
    json told = {{"at", asked.choice->at}, {"mode", asked.choice->mode}};
    add(told, "name", asked.choice->name);
    document["chosen"].push_back(std::move(told));
  }
  return document;
}

}  // namespace splitproof::observe
