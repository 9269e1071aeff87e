#pragma once

#include <string_view>

namespace splitproof::split {

/// Takes `prefix` off the front of `text`, if it is there.
inline bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace splitproof::split
