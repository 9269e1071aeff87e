#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

inline constexpr std::size_t kMostKiroToolName = 64;

/// Returns the name of a tool in the form that Kiro accepts. It has only ASCII letters and digits, begins with a
/// letter, and has at most kMostKiroToolName characters. A valid name is unchanged. In other names, words are joined in
/// camel case: `mcp__files__read_file` becomes `mcpFilesReadFile`.
std::string kiro_tool_name(std::string_view name);

}  // namespace splitproof::proxy::dialect
