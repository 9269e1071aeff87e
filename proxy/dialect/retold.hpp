#pragma once

#include <optional>
#include <string>

namespace splitproof::proxy::dialect {

/// The form of a relayed frame after renaming.
struct Retold {
  std::string before = {};               ///< whole events to send before it
  bool leaves = true;                    ///< false: it waits, and leaves in another form
  std::optional<std::string> data = {};  ///< its new data; none: unchanged
};

}  // namespace splitproof::proxy::dialect
