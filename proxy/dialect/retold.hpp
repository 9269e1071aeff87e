#pragma once

#include <optional>
#include <string>

namespace splitproof::proxy::dialect {

/// How a frame leaves that is passed on, where something of it is told in other words.
struct Retold {
  std::string before = {};               ///< whole events that leave in front of it
  bool leaves = true;                    ///< false: it waits, and leaves in another form
  std::optional<std::string> data = {};  ///< its data now; none: it leaves as it came
};

}  // namespace splitproof::proxy::dialect
