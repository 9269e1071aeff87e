#include "harness/dialect/anthropic_messages/client_runs.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

struct OpenBlock {
  bool is_tool = false;
  std::string name;
  std::string input;  ///< Input of the start, if not {}.
  std::string joined;
};

OpenBlock open_block(const json& start) {
  OpenBlock block;
  block.is_tool = string_at(start, "type") == "tool_use";
  block.name = string_at(start, "name");
  const json& input = member(start, "input");
  if (!input.is_null() && !(input.is_object() && input.empty())) block.input = written(input);
  return block;
}

}  // namespace

std::vector<ClientRun> client_runs(observe::EventStream& stream) {
  std::vector<ClientRun> runs;
  std::map<std::int64_t, OpenBlock> blocks;
  observe::for_each_event(stream, [&](const observe::Event& event) {
    if (!event.json) return true;
    const std::string type = string_at(*event.json, "type");
    if (type == "error") return false;
    const json& index = member(*event.json, "index");
    if (!index.is_number_integer()) return true;
    const auto number = index.get<std::int64_t>();
    if (type == "content_block_start") {
      blocks[number] = open_block(member(*event.json, "content_block"));
      return true;
    }
    const auto found = blocks.find(number);
    if (found == blocks.end()) return true;
    OpenBlock& block = found->second;
    if (type == "content_block_delta")
      block.joined += string_at(member(*event.json, "delta"), "partial_json");
    if (type == "content_block_stop" && block.is_tool) {
      runs.push_back({block.name, block.joined.empty()
                                      ? block.input
                                      : observe::replace_surrogates(observe::join_surrogates(block.joined))});
    }
    return true;
  });
  return runs;
}

}  // namespace splitproof::dialect
