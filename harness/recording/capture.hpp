#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace splitproof::recording {

/// The event stream in a file.
struct Capture {
  std::string stream;
  std::string wrapper;  ///< The surrounding format, such as "base64"; empty: the file is the stream.
};

/// Finds the event stream in the bytes of a captured file. Extracts it from a wrapper only if every line of
/// the wrapper is explained (wrappers.hpp lists the kinds). Returns an Error if the file is certainly no
/// event stream, or if the stream is truncated or inseparable from its wrapper. The Error names the file's
/// format, the line, and a way to get the stream. Returns any other file unchanged, because a broken stream
/// is a stream.
Result<Capture> read_capture(const std::string& file, std::string_view bytes);

/// Returns the Error for compressed data, pictures, UTF-16 and other bytes that no server streams as text.
/// Otherwise returns nullopt. The hint is the command that unpacks the file.
std::optional<Error> refuse_packed(const std::string& file, std::string_view bytes);

}  // namespace splitproof::recording
