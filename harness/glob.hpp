#pragma once

#include <fnmatch.h>

#include <string>

namespace splitproof {

/// True if a shell pattern matches the whole text. `*` also matches slashes.
inline bool matches(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

}  // namespace splitproof
