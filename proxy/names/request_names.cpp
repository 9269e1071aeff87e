#include "proxy/names/request_names.hpp"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "proxy/names/arguments.hpp"
#include "proxy/names/in_force.hpp"
#include "proxy/request/escaped.hpp"

namespace splitproof::names {
namespace {

using request::Asked;

std::vector<DeclaredTool> declared_tools(const Asked& asked) {
  std::vector<DeclaredTool> declared;
  for (const request::Tool& tool : asked.tools) {
    std::string name = request::plain(tool.name);
    const bool function = asked.aliases.find(name) == nullptr;
    declared.push_back({std::move(name), function});
  }
  return declared;
}

}  // namespace

ToolMap name_for_upstream(const ToolMap& map, std::size_t depth, Asked& asked) {
  const InForce in_force(map, declared_tools(asked));
  const auto mapped_tool = [&](const std::string& escaped_name) {
    return in_force.of(request::plain(escaped_name));
  };
  for (request::Tool& tool : asked.tools) {
    const MappedTool* mapped = mapped_tool(tool.name);
    if (mapped == nullptr) continue;
    tool.name = request::escaped(mapped->upstream);
    tool.schema = told_schema(*mapped, tool.schema, depth);
  }
  for (request::Turn& turn : asked.turns) {
    for (request::Block& block : turn.blocks) {
      auto* call = std::get_if<request::Call>(&block);
      const MappedTool* mapped = call == nullptr ? nullptr : mapped_tool(call->name);
      if (mapped == nullptr) continue;
      call->name = request::escaped(mapped->upstream);
      call->input = told_arguments(*mapped, Towards::upstream, call->input, depth);
    }
  }
  if (const MappedTool* chosen = asked.choice == request::Choice::one ? mapped_tool(asked.chosen) : nullptr)
    asked.chosen = request::escaped(chosen->upstream);
  for (const MappedTool& tool : in_force.tools()) asked.aliases.add({tool.upstream, false, {}, tool.client});
  return in_force.tools();
}

}  // namespace splitproof::names
