#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "proxy/dialect/said.hpp"
#include "proxy/wire/ascii.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {

/// Returns an id that the protocol accepts: 1 to 64 letters, digits, `_` and `-`. Different ids stay different.
inline std::string converse_call_id(const std::string& id) {
  constexpr std::size_t kMost = 64;
  const bool fits = !id.empty() && id.size() <= kMost && std::all_of(id.begin(), id.end(), [](char c) {
    return wire::is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return fits ? id : "tooluse_" + wire::hex(mark_of(id));
}

}  // namespace splitproof::proxy::dialect
