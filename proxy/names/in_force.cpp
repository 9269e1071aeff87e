#include "proxy/names/in_force.hpp"

#include <algorithm>

namespace splitproof::names {

InForce::InForce(const ToolMap& map, const std::vector<DeclaredTool>& declared) {
  const auto declaration = [&](const std::string& name) {
    return std::find_if(declared.begin(), declared.end(),
                        [&](const DeclaredTool& tool) { return tool.name == name; });
  };
  const auto is_declared = [&](const std::string& name) { return declaration(name) != declared.end(); };
  for (const MappedTool& tool : map) {
    if (is_declared(tool.upstream)) continue;
    std::vector<std::string> own = {tool.client};
    own.insert(own.end(), tool.also.begin(), tool.also.end());
    // If the client declares none of the names, each is for a tool of earlier turns.
    const auto first = std::find_if(own.begin(), own.end(), is_declared);
    if (first == own.end()) {
      for (const std::string& name : own) by_name_.emplace(name, tool);
    } else if (declaration(*first)->function) {
      own = {*first};
      by_name_.emplace(*first, tool);
    } else {
      continue;
    }
    tools_.push_back(tool);
    tools_.back().client = own.front();
  }
}

const MappedTool* InForce::of(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

}  // namespace splitproof::names
