#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/names/tool_map.hpp"

namespace splitproof::names {

/// A tool as the client declares it.
struct DeclaredTool {
  std::string name;
  bool function = true;  ///< and no custom tool, none of a namespace and none that the provider defines
};

/// The tools of a map that one request has, by the client's names for them.
///
/// No two tools get one name: a tool whose name upstream is declared by the client for another one, or taken by a name
/// of the client's that comes before in the map, stays as it is. So do tools that are no functions.
class InForce {
 public:
  InForce(const ToolMap& map, const std::vector<DeclaredTool>& declared);

  /// Null: the tool keeps its name.
  const MappedTool* of(std::string_view name) const;

  /// All of them, each with the one name that the client is told.
  const ToolMap& tools() const { return tools_; }

 private:
  std::map<std::string, MappedTool, std::less<>> by_name_;
  ToolMap tools_;
};

}  // namespace splitproof::names
