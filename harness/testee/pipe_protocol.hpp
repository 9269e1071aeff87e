#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/recording/recording.hpp"

namespace splitproof::testee {

// The lines of the pipe protocol, docs/pipe.md. Nothing here touches a pipe.

/// What a testee is told. Each is one line, with its line end. `request` is JSON without line ends.
std::string open_line(std::string_view client, std::string_view upstream, std::string_view request);
std::string feed_line(std::string_view chunk);
std::string end_line(recording::End end);

/// What one line of a testee says.
struct PipeWord {
  enum class Kind : std::uint8_t {
    out,      ///< `text`: bytes for the client
    ask,      ///< `text`: what it asks of its upstream, a JSON object (reported_request.hpp)
    cut,      ///< the client's message breaks off here, as one over HTTP without its end
    ack,      ///< it is done with the line that it read
    skip,     ///< it does not do this case. `text`: why; `issue`: where that is reported, or empty
    error,    ///< it failed. `text`: what it says of that
    garbage,  ///< not a line of the protocol. `text`: one clause on what is wrong, with the line
  };
  Kind kind = Kind::garbage;
  std::string text;
  std::string issue;

  bool operator==(const PipeWord&) const = default;
};

/// Reads a line without its line end. Strict: one JSON object with the keys of one kind and no others, their values of
/// the right type, base64 as RFC 4648, section 4, has it. White space may stand where JSON allows it, so a line may
/// end in CR LF.
PipeWord read_pipe_word(std::string_view line);

/// `bytes` as a message shows them: at most 120 of them, the beginning; what is not printable ASCII or a
/// whole UTF-8 character beyond it is written `\xNN`.
std::string in_backticks(std::string_view bytes);

/// Longer than this no line may be.
inline constexpr std::size_t kMaxPipeLine = std::size_t{64} << 20U;

/// Gathers lines from pieces, however they were cut.
class PipeLines {
 public:
  void add(std::string_view piece) { unread_.append(piece); }

  /// The next line without its LF; none where its end has not come.
  std::optional<std::string> next();

  /// What has come and was not given out as a line.
  std::string_view rest() const { return std::string_view(unread_).substr(begin_); }

 private:
  std::string unread_;
  std::size_t begin_ = 0;    // of the rest
  std::size_t scanned_ = 0;  // no LF stands between `begin_` and here
};

}  // namespace splitproof::testee
