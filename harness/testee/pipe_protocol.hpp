#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/recording/recording.hpp"

namespace splitproof::testee {

// The lines of the pipe protocol (docs/without-http.md). This file does not use pipes.

/// Return lines for a testee, each with its line end. `request` is JSON without line ends.
std::string open_line(std::string_view client, std::string_view upstream, std::string_view request);
std::string feed_line(std::string_view chunk);
std::string end_line(recording::End end);

/// Return lines for a translator whose state can be copied. `fork` keeps a copy of the exchange's state under a name, `use`
/// goes on with a copy of a kept state.
std::string fork_line(std::size_t name);
std::string use_line(std::size_t name);

/// The line that asks for a digest of the exchange's state.
inline constexpr std::string_view kDigestLine = "{\"digest\":true}\n";

/// Returns the line that opens an exchange with a program that reads event streams.
std::string open_reader_line();

/// Returns the line that makes a program read a URL with its client. `client` is the protocol of the stream. `request` and
/// `next` are JSON without line ends, or empty.
std::string read_line(std::string_view url, std::string_view client, std::string_view request,
                      std::string_view next);

/// What a program does with the bytes that it is fed.
enum class PipeRole : std::uint8_t {
  translator,  ///< It writes bytes for a client.
  reader,      ///< It reads event streams and reports each event (docs/clients.md).
  client,      ///< It reads a URL and reports the answer (docs/clients.md).
};

/// Content of one line of a testee.
struct PipeWord {
  enum class Kind : std::uint8_t {
    out,  ///< `text`: bytes for the client; of a reader: the line of an event or error (observe/read_event.hpp); of a
    ///< client: the line of what it has told (observe/read_answer.hpp).
    answer,  ///< Of a client: `text` is the line of its answer. It has finished with the line that it read.
    ask,     ///< `text`: its upstream request, a JSON object (reported_request.hpp).
    cut,     ///< The client's message ends here, like an HTTP message without its end.
    ack,     ///< It has finished with the line that it read.
    digest,  ///< Of a translator: `text` is the digest of its state. It has finished with the line that it read.
    skip,     ///< It skips this case. `text`: the reason; `issue`: a report of it, or empty.
    error,    ///< A translator failed. `text`: its error message.
    garbage,  ///< Not a line of the protocol. `text`: one clause on the fault, with the line.
  };
  Kind kind = Kind::garbage;
  std::string text;
  std::string issue;

  bool operator==(const PipeWord&) const = default;
};

/// Reads a line without its line end. Strict: one JSON object with exactly the keys of one kind, values of
/// the right type, and base64 of RFC 4648, section 4. White space may occur as in JSON, so a line may end in
/// CR LF.
PipeWord read_pipe_word(std::string_view line, PipeRole role);

/// Returns `bytes` for a message: at most the first 120. Writes `\xNN` for each byte that is neither
/// printable ASCII nor part of a complete UTF-8 character.
std::string in_backticks(std::string_view bytes);

/// Maximum size of a line.
inline constexpr std::size_t kMaxPipeLine = std::size_t{64} << 20U;

/// Collects lines from pieces, independent of their boundaries.
class PipeLines {
 public:
  void add(std::string_view piece) { unread_.append(piece); }

  /// Returns the next line without its LF, or nullopt before its end.
  std::optional<std::string> next();

  /// Returns the bytes after the last returned line.
  std::string_view rest() const { return std::string_view(unread_).substr(begin_); }

 private:
  std::string unread_;
  std::size_t begin_ = 0;    // start of the rest
  std::size_t scanned_ = 0;  // there is no LF between `begin_` and here
};

}  // namespace splitproof::testee
