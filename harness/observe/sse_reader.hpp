#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/aws_frame.hpp"

namespace splitproof::observe {

/// Byte order mark. It may begin a body and has no meaning.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Part of a stream that no client reads as intended.
struct OddLine {
  enum class Kind : std::uint8_t {
    lost,     ///< Data that clients ignore, because of a blank or a byte order mark before it, its case, or a
              ///< missing `data:`.
    stray,    ///< Another line that is neither a standard field nor a comment.
    dataless  ///< The `event:` line of a block that is never dispatched, because it has no data.
  };
  Kind kind;
  std::string text;       ///< The line or its beginning; `dataless`: the event; invalid UTF-8 as U+FFFD.
  std::size_t line = 0;   ///< Counted from 1.
  std::size_t begin = 0;  ///< Its first byte; for `dataless` the first byte of the block.
  std::size_t end = 0;    ///< One past its last byte, without the line end.

  bool operator==(const OddLine&) const = default;
};

/// One event of a stream, before its data is interpreted.
///
///     : keep-alive\n event: a\n : inside\n data: x\n data: y\n \n
///                    ^begin                      ^data_at[0]     ^end
struct SseEvent {
  std::optional<std::string> event;    ///< Value of the last `event:` line; nullopt without one.
  std::string data;                    ///< `data:` values joined with LF; invalid UTF-8 as U+FFFD.
  std::string id;                      ///< Last event id in force at the dispatch.
  std::optional<std::uint64_t> retry;  ///< Set by this block, in ms; values above 2^64-1 are read as 2^64-1.
  std::vector<std::size_t> data_at;    ///< Stream offset of each `data:` line's value.
  std::size_t begin = 0;               ///< First byte of the block's first line that is not a comment.
  std::size_t end = 0;                 ///< One past the line end of the blank line, or the stream's end.
  std::size_t line = 0;                ///< Line of `begin`, counted from 1.
  std::optional<std::size_t> ill_formed_at;  ///< First byte in [begin, end) that is not UTF-8.
  bool ill_formed_data = false;              ///< Some such byte is in the value of a `data:` line.
  bool terminated = true;  ///< False for the tail of a stream that ended before its blank line.

  /// Between the previous event and the end of this one; for the last event also after it:
  std::vector<OddLine> odd;  ///< The first of each kind.
  bool lone_cr = false;      ///< A line ends in a CR alone.

  /// In a frame of an AWS event stream, whose payload is the data:
  std::vector<AwsHeader> headers;
  std::string broken;  ///< Why this frame and the following bytes cannot be read; empty: it is sound.

  bool operator==(const SseEvent&) const = default;
};

/// Reads an event stream as in the WHATWG HTML standard ("Server-sent events", 9.2.5 and 9.2.6). It keeps what a browser
/// discards: the place of each event, invalid UTF-8, and the unterminated tail.
///
/// The standard decodes first and splits lines afterwards. CR and LF are never part of a longer UTF-8 sequence, so
/// splitting the bytes gives the same lines. Details of the standard:
/// - A block dispatches when its data buffer is not empty. Every `data` line appends its value *and* a LF. So a lone
///   `data:` dispatches with empty data, and a block without a `data` line never does.
/// - An event type belongs to its block. The last event id applies to all later blocks, dispatched or not.
/// - An `id` with NUL is ignored. So is a `retry` without digits, or with other characters.
/// - Lines after the last blank line are never dispatched. If they hold more than comments, ids and retry times,
///   finish() yields them with `terminated` false. It reads an unfinished last line as if it ended there.
///
/// Guarantees: the state depends only on the bytes and not on their chunks, and compares equal accordingly. The time is
/// linear in the bytes, however small the chunks.
class SseReader {
 public:
  SseReader() = default;

  /// Continues at byte `at` of a stream, where an event ended and `lines` lines had ended.
  SseReader(std::size_t at, std::size_t lines, std::string last_event_id)
      : last_event_id_(std::move(last_event_id)), line_begin_(at), fed_(at), lines_(lines) {}

  /// Takes the next bytes, any number of them.
  void feed(std::string_view bytes);

  /// Ends the stream. Nothing may be fed afterwards.
  void finish();

  /// Returns the events so far, in order. The last one's `end` grows by one if the CR of its blank line turns
  /// out to be the first half of a CRLF.
  const std::vector<SseEvent>& events() const& { return events_; }
  std::vector<SseEvent> events() && = delete;  // the reader must outlive a loop over its events

  /// Moves out the events that later bytes cannot change: all but the last.
  std::vector<SseEvent> take_settled();

  /// Moves out the events so far. The reader must not be used again.
  std::vector<SseEvent> take_events() && { return std::move(events_); }

  bool operator==(const SseReader&) const = default;

 private:
  void read_line(std::string_view line);
  bool read_field(std::string_view name, std::string_view value, std::size_t value_at, bool well_formed);
  void dispatch();
  void keep_odd(OddLine line);
  void keep_lone_cr();

  std::vector<SseEvent> events_;
  SseEvent block_;             ///< The current block; its data ends in a LF until the dispatch.
  bool block_begun_ = false;   ///< A line that is not a comment came, so block_.begin is valid.
  bool block_speaks_ = false;  ///< A line other than `id` and `retry` came.
  std::vector<OddLine> odd_;   ///< Since the last event.
  bool lone_cr_ = false;       ///< A line since the last event ended in a CR alone.
  std::string last_event_id_;
  std::string line_;            ///< Bytes of the unfinished line.
  std::size_t line_begin_ = 0;  ///< Its offset in the stream.
  std::size_t fed_ = 0;         ///< Number of bytes taken.
  std::size_t lines_ = 0;       ///< Number of lines that ended, or were read as if.
  bool after_cr_ = false;       ///< The last byte was a CR: a directly following LF belongs to it.
};

}  // namespace splitproof::observe
