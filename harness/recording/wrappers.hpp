#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/capture.hpp"
#include "harness/result.hpp"

namespace splitproof::recording {

inline constexpr const char* kCaptureRawBody = "capture the raw body, for example with curl -sN URL > FILE";
inline constexpr const char* kSaveStreamAlone = "save the stream as a file of its own";

/// A file that may be a wrapper. The views refer to the bytes that it was made of.
struct CapturedFile {
  CapturedFile(const std::string& name, std::string_view bytes);

  Result<Capture> refuse(std::string what, std::string hint, std::size_t line = 0) const;

  /// Extracts a stream from a wrapper that keeps every byte. Refuses a text that is no stream.
  Result<Capture> take_bytes(std::string stream, std::string wrapper) const;

  /// Extracts a stream from copied text. Adds the blank line after the last event if it is missing, and
  /// reports that. Refuses a stream without blank lines, and a stream that is truncated at the end of the
  /// file.
  Result<Capture> take_text(std::string stream, std::string wrapper) const;

  const std::string& name;
  std::string_view bytes;
  std::string_view text;  ///< The bytes without a byte order mark.
  std::vector<std::string_view> lines;
  std::string_view first;  ///< The first line that is not blank.
};

/// Result of the functions below: nullopt if the file is not of that kind.
using Found = std::optional<Result<Capture>>;

// HTTP and its clients.
Found http_response(const CapturedFile& file);   ///< A head and a body, which may be in chunks.
Found curl_log(const CapturedFile& file);        ///< The log of curl -v.
Found command_output(const CapturedFile& file);  ///< A command line and its output.
Found curl_failure(const CapturedFile& file);    ///< A stream and curl's line with the reason for stopping.

// JSON.
Found json_document(const CapturedFile& file);  ///< A string, an array, an exported exchange.
Found json_lines(const CapturedFile& file);     ///< One object or string a line, such as a container's log.
Found broken_json(const CapturedFile& file);    ///< A truncated document.

// Texts.
Found markdown(const CapturedFile& file);        ///< Fences, quotes, indented blocks.
Found prefixed_lines(const CapturedFile& file);  ///< A log with a prefix before each line.
/// Strings as programs print them, one a line or in a list.
Found quoted_strings(const CapturedFile& file);
Found escaped_line(const CapturedFile& file);  ///< One line with \n in place of line ends.
Found base64_text(const CapturedFile& file);

// Texts around a stream.
Found enclosed_text(const CapturedFile& file);  ///< A string of a program, a here-document, a CDATA section.

/// Text that was saved after the end of a stream.
struct Tail {
  std::size_t begin = 0;   ///< Its first byte in CapturedFile::bytes.
  std::string what;        ///< Such as "a shell prompt".
  bool is_copied = false;  ///< Copied by people: the blank line before it may be missing.
};

/// Returns the text after the last line of a stream if a terminal, mail or program added it. Examples are the
/// output of `time`, a prompt, a signature and quotes. Text that a server may send does not count.
std::optional<Tail> tail_of(const CapturedFile& file);

/// Returns the number of the first line that is a shell prompt, or 0.
std::size_t prompt_inside(const CapturedFile& file);

/// Returns the Error for a text that is an encoded event stream: HTML escapes, typographic quotes,
/// quoted-printable. Otherwise returns nullopt. The hint is the command that decodes the file.
std::optional<Error> refuse_encoded(const std::string& file, std::string_view text);

// Files that are certainly no stream.
Found markup(const CapturedFile& file);           ///< HTML.
Found printed_objects(const CapturedFile& file);  ///< Printed objects of a client library.
Found binary(const CapturedFile& file);

/// Joins the chunks: unchanged if any has a line end, otherwise as lines of a text.
std::string joined_chunks(const std::vector<std::string>& chunks);

}  // namespace splitproof::recording
