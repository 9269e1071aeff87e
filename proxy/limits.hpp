#pragma once

#include <cstddef>

namespace splitproof {

/// What one request and its stream may cost. A request that passes a limit is refused, with the limit's name; a stream ends
/// with an error that names it.
struct Limits {
  std::size_t event_bytes = std::size_t{16} << 20;  ///< one upstream event, or one line of it
  std::size_t json_depth = 128;                     ///< nesting of an event's JSON and of a call's arguments
  std::size_t calls = 1024;                         ///< tool calls in one message
  std::size_t parts = 4096;  ///< blocks of one message, where the upstream says which is which
  std::size_t call_bytes = std::size_t{32} << 20;  ///< ids, names and arguments of one message's calls
  /// What waits behind an unfinished call, its records included; thinking that is kept to be said again.
  std::size_t waiting_bytes = std::size_t{32} << 20;

  // Of a request that is translated; one that is passed on as it came is held to the name of its model.
  std::size_t messages = 100'000;       ///< or items
  std::size_t tools = 10'000;           ///< that may be called
  std::size_t history_calls = 100'000;  ///< calls that the messages hold
  std::size_t stops = 256;              ///< texts that end the answer
  std::size_t stop_bytes = 16'384;      ///< of all of them
  /// The name of the model, also as the upstream says it, and of each tool.
  std::size_t name_bytes = 512;
  std::size_t echo_bytes = std::size_t{1} << 20;  ///< of the request, that its answer repeats

  bool operator==(const Limits&) const = default;
};

}  // namespace splitproof
