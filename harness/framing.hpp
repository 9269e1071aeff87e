#pragma once

#include <cstdint>
#include <string>

namespace splitproof {

/// Method that divides a streamed body into events.
enum class Framing : std::uint8_t {
  sse,         ///< Server-sent events: a blank line ends each (LF, CRLF or CR).
  json_lines,  ///< JSON lines: one JSON text per line (LF or CRLF); blank lines are ignored.
  aws_frames,  ///< An AWS event stream: binary frames with headers, a payload and CRCs
               ///< (harness/aws_frame.hpp).
};

/// Properties of a body's bytes that do not depend on the content of its events.
struct BodyFormat {
  Framing framing = Framing::sse;
  std::string closing_mark;  ///< Data of the event that ends an answer and is not JSON; empty: none.

  bool operator==(const BodyFormat&) const = default;
};

}  // namespace splitproof
