#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

inline constexpr std::size_t kMostKiroToolName = 64;

/// The name of a tool as Kiro takes it: ASCII letters and digits, a letter first, no more than kMostKiroToolName. A name
/// that is one stays; else words are joined, `mcp__files__read_file` to `mcpFilesReadFile`.
std::string kiro_tool_name(std::string_view name);

}  // namespace splitproof::proxy::dialect
