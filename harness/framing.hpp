#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof {

/// Method that divides a streamed body into events.
enum class Framing : std::uint8_t {
  sse,           ///< Server-sent events: a blank line ends each (LF, CRLF or CR).
  json_lines,    ///< JSON lines: one JSON text per line (LF or CRLF); blank lines are ignored.
  aws_frames,    ///< An AWS event stream: binary frames with headers, a payload and CRCs
                 ///< (harness/aws_frame.hpp).
  json_array,    ///< One JSON array that arrives element by element; each element is an event.
  sse_or_array,  ///< A JSON array if the first byte that is not blank is `[`, otherwise server-sent events.
};

/// Returns the framing of one body: never `sse_or_array`.
inline Framing framing_of(Framing framing, std::string_view body) {
  if (framing != Framing::sse_or_array) return framing;
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (body.starts_with(kMark)) body.remove_prefix(kMark.size());
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first != body.npos && body[first] == '[' ? Framing::json_array : Framing::sse;
}

/// Properties of a body's bytes that do not depend on the content of its events.
struct BodyFormat {
  Framing framing = Framing::sse;
  std::string closing_mark;  ///< Data of the event that ends an answer and is not JSON; empty: none.

  bool operator==(const BodyFormat&) const = default;
};

}  // namespace splitproof
