#pragma once

#include <string>
#include <string_view>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Names that a protocol takes for tools: a name that it takes stays as it is.
struct ToolNames {
  std::string (*fitted)(std::string_view name) = nullptr;  ///< some name that it takes; null: it takes all
  std::size_t most = 0;                                    ///< bytes of one
};

/// Gives tools that the upstream could not take by their names others, in declarations, calls and the choice. No two of one
/// request have the same name then, and a name that fits stays. `aliases` says what each was, so that the writer turns the
/// upstream's calls back.
void rename_tools(const ToolNames& names, Asked& asked);

}  // namespace splitproof::request
