#include "proxy/names/tool_map.hpp"

namespace splitproof::names {

const ToolMap& map_of(Names names) {
  static const ToolMap kSame;
  static const ToolMap kOpencode = opencode();
  return names == Names::opencode ? kOpencode : kSame;
}

}  // namespace splitproof::names
