#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/names/tool_map.hpp"

namespace splitproof::names {

/// A tool in the client's declaration.
struct DeclaredTool {
  std::string name;
  bool function = true;  ///< false: a custom tool, in a namespace, or defined by the provider
};

/// The mapped tools of one request, by the client's names.
///
/// Names stay unique. A tool stays unmapped if the client declares another tool under its upstream name, or if an
/// earlier client name in the map takes that name. Tools that are not functions stay unmapped too.
class InForce {
 public:
  InForce(const ToolMap& map, const std::vector<DeclaredTool>& declared);

  /// Returns null if the tool keeps its name.
  const MappedTool* of(std::string_view name) const;

  /// Returns all tools, each with the client's one name for it.
  const ToolMap& tools() const { return tools_; }

 private:
  std::map<std::string, MappedTool, std::less<>> by_name_;
  ToolMap tools_;
};

}  // namespace splitproof::names
