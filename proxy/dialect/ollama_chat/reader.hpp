#pragma once

#include <cstddef>
#include <vector>

#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads Ollama's chat stream into the canonical turn.
///
/// - In a line, thinking comes before text, text before calls, and calls before an error or the end.
/// - `done: true` is the end, whatever its reason is.
/// - Each element of `tool_calls` is a whole call. The bytes of its arguments are passed on.
/// - Images are `Unplaced`.
/// - A line that is no JSON object is a failure, unless the body ended inside it.
class OllamaReader {
 public:
  explicit OllamaReader(Limits limits) : limits_(limits) {}

  /// Reads one line and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  bool operator==(const OllamaReader&) const = default;

 private:
  void read_calls(const wire::Json& calls, std::vector<turn::Event>& events);

  Limits limits_;
  std::size_t lines_ = 0;  // Lines so far, for messages.
  std::size_t calls_ = 0;  // Calls so far.
};

}  // namespace splitproof::proxy::dialect
