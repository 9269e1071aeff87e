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

/// A file that may be a wrapper. The views are into the bytes that it was made of.
struct CapturedFile {
  CapturedFile(const std::string& name, std::string_view bytes);

  Result<Capture> refuse(std::string what, std::string hint, std::size_t line = 0) const;

  /// Takes a stream out of a wrapper that keeps every byte. Refuses a text that is no stream at all.
  Result<Capture> take_bytes(std::string stream, std::string wrapper) const;

  /// Takes a stream out of a text that people copy. Adds the blank line after the last event if that was lost, and says so.
  /// Refuses a stream without blank lines, and one that breaks off where the file does.
  Result<Capture> take_text(std::string stream, std::string wrapper) const;

  const std::string& name;
  std::string_view bytes;
  std::string_view text;  ///< the bytes without a byte order mark
  std::vector<std::string_view> lines;
  std::string_view first;  ///< the first line that is not blank
};

/// What a function below found: nullopt if the file is not of its kind.
using Found = std::optional<Result<Capture>>;

// HTTP and its clients.
Found http_response(const CapturedFile& file);   ///< a head and a body, which may be in chunks
Found curl_log(const CapturedFile& file);        ///< the log of curl -v
Found command_output(const CapturedFile& file);  ///< a command line, and what it printed
Found curl_failure(const CapturedFile& file);    ///< a stream, and the line in which curl says why it stopped

// JSON.
Found json_document(const CapturedFile& file);  ///< a string, an array, a HAR file, an exported exchange
Found json_lines(const CapturedFile& file);     ///< one object or string a line, such as a container's log
Found broken_json(const CapturedFile& file);    ///< a document that breaks off

// Texts.
Found markdown(const CapturedFile& file);        ///< fences, quotes, indented blocks
Found prefixed_lines(const CapturedFile& file);  ///< a log with a prefix before each line
Found quoted_strings(const CapturedFile& file);  ///< strings as programs print them, one a line or in a list
Found escaped_line(const CapturedFile& file);    ///< one line with \n in place of line ends
Found base64_text(const CapturedFile& file);

// Texts around a stream.
Found enclosed_text(const CapturedFile& file);  ///< a string of a program, a here-document, a CDATA section

/// What was saved after the end of a stream, and is none of it.
struct Tail {
  std::size_t begin = 0;   ///< its first byte in CapturedFile::bytes
  std::string what;        ///< such as "a shell prompt"
  bool is_copied = false;  ///< people put it there: the blank line before it may be lost
};

/// Returns what follows the last line of a stream, if nothing but a terminal, a mail or a program puts that there: the output
/// of `time`, a prompt, a signature, quotes. What a server may have sent is none.
std::optional<Tail> tail_of(const CapturedFile& file);

/// Returns the number of the first line that is the prompt of a shell, or 0.
std::size_t prompt_inside(const CapturedFile& file);

/// Returns the Error for a text that becomes an event stream if it is decoded once more, or nullopt: HTML escapes, typographic
/// quotes, quoted-printable. The hint is the command that decodes the file.
std::optional<Error> refuse_encoded(const std::string& file, std::string_view text);

// What is certainly no stream.
Found markup(const CapturedFile& file);           ///< HTML
Found cassette(const CapturedFile& file);         ///< recorded HTTP in YAML
Found printed_objects(const CapturedFile& file);  ///< what a client's library made of a stream
Found binary(const CapturedFile& file);

/// Returns the chunks as one text: as they are if any has a line end, or else as the lines of a text.
std::string joined_chunks(const std::vector<std::string>& chunks);

}  // namespace splitproof::recording
