#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

inline constexpr std::size_t kMostKiroToolName = 64;

/// Returns the name of a tool in Kiro's form: ASCII letters and digits, a letter first, at most kMostKiroToolName. A
/// valid name stays. In others, words are joined: `mcp__files__read_file` becomes `mcpFilesReadFile`.
std::string kiro_tool_name(std::string_view name);

}  // namespace splitproof::proxy::dialect
