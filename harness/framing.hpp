#pragma once

#include <cstdint>
#include <string>

namespace splitproof {

/// How the events of a streamed body are told apart.
enum class Framing : std::uint8_t {
  sse,         ///< server-sent events: a blank line ends each (LF, CRLF or CR)
  json_lines,  ///< JSON lines: one JSON text a line (LF or CRLF); lines of white space say nothing
  aws_frames,  ///< an AWS event stream: binary frames with headers, a payload and CRCs (harness/aws_frame.hpp)
};

/// What is to be known of a body's bytes without reading what its events say.
struct BodyFormat {
  Framing framing = Framing::sse;
  std::string
      closing_mark;  ///< the data of the event that ends an answer and is no JSON; empty: there is none

  bool operator==(const BodyFormat&) const = default;
};

}  // namespace splitproof
