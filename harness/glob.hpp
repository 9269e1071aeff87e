#pragma once

#include <fnmatch.h>

#include <string>

namespace splitproof {

/// Whether a pattern of the shell fits the whole text. `*` fits slashes too.
inline bool matches(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

}  // namespace splitproof
