#pragma once

#include <string>
#include <string_view>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Tool names that a protocol accepts. Accepted names stay.
struct ToolNames {
  std::string (*fitted)(std::string_view name) = nullptr;  ///< returns an accepted name; null: accepts all
  std::size_t most = 0;                                    ///< size of a name in bytes
};

/// Renames tools that the upstream would refuse, in declarations, calls and the choice. Names are unique, and accepted
/// names stay. Adds the old names to `aliases`, so that the writer can restore them in calls.
void rename_tools(const ToolNames& names, Asked& asked);

}  // namespace splitproof::request
