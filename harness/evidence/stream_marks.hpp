#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace splitproof::evidence {

/// Properties of a downstream stream that transport rules need: the first output and the signal for the end.
/// The contract of the protocol judges the events themselves.
struct StreamMarks {
  std::size_t events = 0;             ///< events with data, valid or not
  std::optional<std::size_t> output;  ///< one past the first event with text, thinking or a piece of a call
  bool success = false;               ///< the stream signals a complete answer
  bool error = false;                 ///< the stream signals an error

  bool operator==(const StreamMarks&) const = default;
};

/// Returns the marks of a downstream body, read as an event stream of the client's protocol. For an unknown
/// protocol it counts only events. Takes any bytes.
StreamMarks stream_marks(std::string_view body, std::string_view client);

}  // namespace splitproof::evidence
