#pragma once

#include <cstddef>

namespace splitproof {

/// What one stream may cost. Passing a limit ends the stream with an error that names it.
struct Limits {
  std::size_t event_bytes = std::size_t{16} << 20;  ///< one upstream event, or one line of it
  std::size_t json_depth = 128;                     ///< nesting of an event's JSON and of a call's arguments
  std::size_t calls = 1024;                         ///< tool calls in one message
  std::size_t parts = 4096;  ///< blocks of one message, where the upstream says which is which
  std::size_t call_bytes = std::size_t{32} << 20;  ///< ids, names and arguments of one message's calls
  /// What waits behind an unfinished call, its records included; thinking that is kept to be said again.
  std::size_t waiting_bytes = std::size_t{32} << 20;

  bool operator==(const Limits&) const = default;
};

}  // namespace splitproof
