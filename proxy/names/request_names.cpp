#include "proxy/names/request_names.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "proxy/names/arguments.hpp"
#include "proxy/request/escaped.hpp"

namespace splitproof::names {
namespace {

using request::Asked;
using NamesInUse = std::set<std::string, std::less<>>;

bool is_function(const Asked& asked, const std::string& name) {
  return std::none_of(asked.aliases.begin(), asked.aliases.end(),
                      [&](const request::Alias& alias) { return alias.name == name; });
}

NamesInUse declared_names(const Asked& asked) {
  NamesInUse names;
  for (const request::Tool& tool : asked.tools) names.insert(request::plain(tool.name));
  return names;
}

// The tools of the map that a request has, by the client's names for them.
class InForce {
 public:
  InForce(const ToolMap& map, const Asked& asked) {
    const NamesInUse declared = declared_names(asked);
    for (const MappedTool& tool : map) {
      if (declared.count(tool.upstream) > 0) continue;
      std::vector<std::string> own = {tool.client};
      own.insert(own.end(), tool.also.begin(), tool.also.end());
      // All of them mean it where the client declares none: a tool that it once had.
      const auto first = std::find_if(own.begin(), own.end(),
                                      [&](const std::string& name) { return declared.count(name) > 0; });
      if (first == own.end()) {
        for (const std::string& name : own) by_name_.emplace(name, tool);
      } else if (is_function(asked, *first)) {
        own = {*first};
        by_name_.emplace(*first, tool);
      } else {
        continue;
      }
      tools_.push_back(tool);
      tools_.back().client = own.front();
    }
  }

  /// Null: the tool keeps its name.
  const MappedTool* of(const std::string& escaped_name) const {
    const auto found = by_name_.find(request::plain(escaped_name));
    return found == by_name_.end() ? nullptr : &found->second;
  }

  const ToolMap& tools() const { return tools_; }

 private:
  std::map<std::string, MappedTool, std::less<>> by_name_;
  ToolMap tools_;
};

}  // namespace

ToolMap name_for_upstream(const ToolMap& map, std::size_t depth, Asked& asked) {
  const InForce in_force(map, asked);
  for (request::Tool& tool : asked.tools) {
    const MappedTool* mapped = in_force.of(tool.name);
    if (mapped == nullptr) continue;
    tool.name = request::escaped(mapped->upstream);
    tool.schema = told_schema(*mapped, tool.schema, depth);
  }
  for (request::Turn& turn : asked.turns) {
    for (request::Block& block : turn.blocks) {
      auto* call = std::get_if<request::Call>(&block);
      const MappedTool* mapped = call == nullptr ? nullptr : in_force.of(call->name);
      if (mapped == nullptr) continue;
      call->name = request::escaped(mapped->upstream);
      call->input = told_arguments(*mapped, Towards::upstream, call->input, depth);
    }
  }
  if (const MappedTool* chosen = asked.choice == request::Choice::one ? in_force.of(asked.chosen) : nullptr)
    asked.chosen = request::escaped(chosen->upstream);
  for (const MappedTool& tool : in_force.tools())
    asked.aliases.push_back({tool.upstream, false, {}, tool.client});
  return in_force.tools();
}

}  // namespace splitproof::names
