#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace splitproof::recording {

/// The event stream that a file holds.
struct Capture {
  std::string stream;
  std::string wrapper;  ///< what it was taken out of, such as "a HAR file"; empty: the file is the stream
};

/// Finds the event stream in the bytes of a file that somebody captured. Takes a stream out of a wrapper only if every line of
/// the wrapper is explained (wrappers.hpp lists the kinds). Returns an Error if the file is certainly no event stream, or
/// holds one that is cut, or if the stream cannot be told from its wrapper: the Error says what the file is, where, and how to
/// get the stream. Takes every other file as it is, for a broken stream is a stream.
Result<Capture> read_capture(const std::string& file, std::string_view bytes);

/// Returns the Error for bytes that are certainly no text that a server streams, or nullopt: what is compressed, a picture,
/// UTF-16. The hint is the command that unpacks the file.
std::optional<Error> refuse_packed(const std::string& file, std::string_view bytes);

}  // namespace splitproof::recording
