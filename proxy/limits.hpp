#pragma once

#include <cstddef>

namespace splitproof {

/// Limits of one request and its stream. A request above a limit is refused, and a stream ends with an error. Both name
/// the limit.
struct Limits {
  std::size_t event_bytes = std::size_t{16} << 20;  ///< one upstream event, or one line of it
  std::size_t json_depth = 128;                     ///< nesting of an event's JSON and of a call's arguments
  std::size_t calls = 1024;                         ///< tool calls in one message
  std::size_t parts = 4096;                         ///< blocks of one message, if the upstream numbers them
  std::size_t call_bytes = std::size_t{32} << 20;   ///< ids, names and arguments of one message's calls
  /// Bytes that wait for an unfinished call, records included, and thinking that is kept for repetition.
  std::size_t waiting_bytes = std::size_t{32} << 20;

  // For a translated request. A relayed request is checked only for the name of its model.
  std::size_t messages = 100'000;       ///< or items
  std::size_t tools = 10'000;           ///< callable tools
  std::size_t history_calls = 100'000;  ///< calls in the messages
  std::size_t stops = 256;              ///< stop texts
  std::size_t stop_bytes = 16'384;      ///< of all stop texts
  /// Name of the model, also in the upstream's answer, and of each tool.
  std::size_t name_bytes = 512;
  std::size_t echo_bytes = std::size_t{1} << 20;  ///< the part of the request that its answer repeats

  bool operator==(const Limits&) const = default;
};

}  // namespace splitproof
