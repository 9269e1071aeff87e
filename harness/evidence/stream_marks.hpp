#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace splitproof::evidence {

/// What of a downstream stream matters to rules on its transport: when the client had something of the answer, and how
/// it was told that the answer is over. It says nothing of whether the stream is in order; the contract of its protocol
/// does.
struct StreamMarks {
  std::size_t events = 0;             ///< of which data came, in order or not
  std::optional<std::size_t> output;  ///< one past the first event with text, thinking or a piece of a call
  bool success = false;               ///< it was told that the answer is complete
  bool error = false;                 ///< it was told that the answer failed

  bool operator==(const StreamMarks&) const = default;
};

/// The marks of a downstream body, read as an event stream of the client's protocol. Of one that the harness cannot read
/// only the events are counted. Takes any bytes.
StreamMarks stream_marks(std::string_view body, std::string_view client);

}  // namespace splitproof::evidence
