#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// Prefixes of paths on the upstream's machine, without a configuration (contracts/specifications/cleaning.md).
inline constexpr std::array<std::string_view, 3> kInternalPaths = {
    "/tmp/windsurf-workspace", "/home/user/projects/workspace-", "/opt/windsurf"};

/// Maximum number of successive dots within a path.
inline constexpr std::size_t kMostPathDots = 3;

/// True if a path continues with `c`.
inline bool is_path_byte(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("/\\_-+@%~=#").find(c) != std::string_view::npos;
}

}  // namespace splitproof::observe
