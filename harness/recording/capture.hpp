#pragma once

#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace splitproof::recording {

/// The event stream that a file holds.
struct Capture {
  std::string stream;
  std::string wrapper;  ///< what it was taken out of, such as "a HAR file"; empty: the file is the stream
};

/// Finds the event stream in the bytes of a file that somebody captured. A stream is taken out of a wrapper only if every
/// line of the wrapper is explained: an HTTP response or the log of `curl -v`, a HAR file with one event stream, a fence in
/// Markdown, a prefix before each line, base64, a JSON string, escapes. An Error says what the file is, if that is certainly
/// no event stream, and how to get one: a JSON document, JSON lines, HTML, a cassette, something compressed. Whatever else
/// is taken as it is, for a broken stream is a stream.
Result<Capture> read_capture(const std::string& file, std::string_view bytes);

}  // namespace splitproof::recording
