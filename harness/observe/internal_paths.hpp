#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace splitproof::observe {

/// How paths of the upstream's machine begin, as docs/cleaning.md has them without a configuration.
inline constexpr std::array<std::string_view, 3> kInternalPaths = {
    "/tmp/windsurf-workspace", "/home/user/projects/workspace-", "/opt/windsurf"};

/// So many dots in a row may stand within a path.
inline constexpr std::size_t kMostPathDots = 3;

/// Whether a path goes on over `c`.
inline bool is_path_byte(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("/\\_-+@%~=#").find(c) != std::string_view::npos;
}

}  // namespace splitproof::observe
