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

/// May stand at the beginning of a body, and says nothing.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Something in a stream that no client reads, or not as it was meant.
struct OddLine {
  enum class Kind : std::uint8_t {
    lost,  ///< it would be data, were it not for a blank or a byte order mark before it, its case, or no `data:` at all
    stray,    ///< else neither a field of the standard's nor a comment
    dataless  ///< the `event:` line of a block that is never dispatched, for it has no data
  };
  Kind kind;
  std::string text;  ///< the line, or its beginning; of `dataless` the event's name; invalid UTF-8 as U+FFFD
  std::size_t line = 0;   ///< counted from 1
  std::size_t begin = 0;  ///< its first byte; of `dataless` that of the block
  std::size_t end = 0;    ///< one past its last, without the line end

  bool operator==(const OddLine&) const = default;
};

/// One event of a stream, before anything is known about what its data means.
///
///     : keep-alive\n event: a\n : inside\n data: x\n data: y\n \n
///                    ^begin                      ^data_at[0]     ^end
struct SseEvent {
  std::optional<std::string> event;    ///< value of the last `event:` line, perhaps empty; none without one
  std::string data;                    ///< `data:` values joined with LF; invalid UTF-8 as U+FFFD
  std::string id;                      ///< last event id in force at the dispatch
  std::optional<std::uint64_t> retry;  ///< set by this block, in ms; values above 2^64-1 are read as that
  std::vector<std::size_t> data_at;    ///< for each `data:` line, the stream offset of its value's first byte
  std::size_t begin = 0;               ///< first byte of the block's first line that is no comment
  std::size_t end = 0;                 ///< one past the line end of the blank line, or the stream's end
  std::size_t line = 0;                ///< of `begin`, counted from 1
  std::optional<std::size_t> ill_formed_at;  ///< first byte in [begin, end) that is not UTF-8
  bool ill_formed_data = false;              ///< some such byte stands in the value of a `data:` line
  bool terminated = true;  ///< false for the tail of a stream that ended before its blank line

  /// Between the event before and the end of this one, of the last event also behind it:
  std::vector<OddLine> odd;  ///< the first of each kind
  bool lone_cr = false;      ///< a line ends in a CR alone

  /// Of a frame of an AWS event stream, whose payload is the data:
  std::vector<AwsHeader> headers;
  std::string broken;  ///< why it cannot be read, and nothing behind it; empty: it is sound

  bool operator==(const SseEvent&) const = default;
};

/// Reads an event stream as the WHATWG HTML standard says ("Server-sent events", 9.2.5 and 9.2.6), and keeps
/// what a browser throws away: where each event stood, invalid UTF-8, and the tail that was never ended.
///
/// The standard decodes first and splits lines afterwards; CR and LF are never part of a longer UTF-8
/// sequence, so splitting the bytes gives the same lines. Its finer points, as kept here:
/// - A block dispatches when its data buffer is not empty. Every `data` line appends its value *and* a LF,
///   so a lone `data:` does dispatch, with empty data; a block without any `data` line never does.
/// - An event type belongs to its block, the last event id to all that follow, dispatched or not.
/// - An `id` with NUL is ignored, and a `retry` with anything but digits, or with none.
/// - What follows the last blank line is never dispatched. If it holds more than comments, ids and retry times, finish()
///   yields it with `terminated` false, its unfinished last line read as if it ended there.
///
/// Promises: the state is a function of the bytes fed, not of how they were cut, and compares equal
/// accordingly; linear in the bytes, however small the pieces.
class SseReader {
 public:
  SseReader() = default;

  /// Reads on where an event ended at byte `at` of a stream, `lines` lines of which had ended by then.
  SseReader(std::size_t at, std::size_t lines, std::string last_event_id)
      : last_event_id_(std::move(last_event_id)), line_begin_(at), fed_(at), lines_(lines) {}

  /// Takes the next bytes, any number of them.
  void feed(std::string_view bytes);

  /// The stream has ended. Nothing may be fed afterwards.
  void finish();

  /// The events so far, in order. The last one's `end` grows by one when a blank line's CR turns out to be
  /// the first half of a CRLF.
  const std::vector<SseEvent>& events() const& { return events_; }
  std::vector<SseEvent> events() && = delete;  // the reader must outlive a loop over its events

  /// Moves out the events that what follows cannot change: all but the last.
  std::vector<SseEvent> take_settled();

  /// The events so far, moved out of a reader that is not used again.
  std::vector<SseEvent> take_events() && { return std::move(events_); }

  bool operator==(const SseReader&) const = default;

 private:
  void read_line(std::string_view line);
  bool read_field(std::string_view name, std::string_view value, std::size_t value_at, bool well_formed);
  void dispatch();
  void keep_odd(OddLine line);
  void keep_lone_cr();

  std::vector<SseEvent> events_;
  SseEvent block_;             ///< what the current block has said; its data ends in a LF until the dispatch
  bool block_begun_ = false;   ///< a line that is no comment was seen, so block_.begin holds
  bool block_speaks_ = false;  ///< one of its lines is not about the connection, as `id` and `retry` are
  std::vector<OddLine> odd_;   ///< since the last event; and whether
  bool lone_cr_ = false;       ///< a line since then ended in a CR alone
  std::string last_event_id_;
  std::string line_;            ///< bytes of the line not yet ended when feeding ended
  std::size_t line_begin_ = 0;  ///< where it begins in the stream
  std::size_t fed_ = 0;         ///< bytes taken so far
  std::size_t lines_ = 0;       ///< lines that ended, or were read as if
  bool after_cr_ = false;       ///< the last byte was a CR: a LF now belongs to it
};

}  // namespace splitproof::observe
