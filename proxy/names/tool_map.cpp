#include "proxy/names/tool_map.hpp"

#include <algorithm>

namespace splitproof::names {

const MappedTool* by_upstream_name(const ToolMap& map, std::string_view name) {
  const auto found =
      std::find_if(map.begin(), map.end(), [&](const MappedTool& tool) { return tool.upstream == name; });
  return found == map.end() ? nullptr : &*found;
}

const ToolMap& map_of(Names names) {
  static const ToolMap kSame;
  static const ToolMap kOpencode = opencode();
  return names == Names::opencode ? kOpencode : kSame;
}

}  // namespace splitproof::names
