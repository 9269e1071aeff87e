#pragma once

#include <string_view>

namespace splitproof::split {

/// Removes `prefix` from the front of `text`; true if present.
inline bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace splitproof::split
