#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/framing.hpp"
#include "harness/observe/aws_frame_reader.hpp"
#include "harness/observe/json_array_reader.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::observe {

/// Reads JSON lines. Keeps the same members of a line as SseReader of an event: its bytes with the line end, its data
/// without it, and whether it ended before the body.
///
///     {"a":1}\r\n  \n{"b":
///     ^begin     ^end
///
/// A LF ends a line. A CR directly before it belongs to the line end; any other CR is white space of JSON. A line with
/// only white space is not a frame. A byte order mark at the start is skipped. A tail without LF is a frame with
/// `terminated` false.
///
/// Guarantees: the state depends only on the bytes and not on their chunks, and compares equal accordingly. The time is
/// linear in the bytes, however small the chunks.
class JsonLinesReader {
 public:
  /// Takes the next bytes, any number of them.
  void feed(std::string_view bytes);

  /// Ends the body. Nothing may be fed afterwards.
  void finish();

  const std::vector<SseEvent>& events() const { return events_; }

  /// Moves out the frames so far.
  std::vector<SseEvent> take_settled() { return std::exchange(events_, {}); }
  std::vector<SseEvent> take_events() && { return std::move(events_); }

  bool operator==(const JsonLinesReader&) const = default;

 private:
  void read_line(std::size_t size, bool terminated);

  std::vector<SseEvent> events_;
  std::string line_;            ///< Bytes of the unfinished line.
  std::size_t line_begin_ = 0;  ///< Its offset in the body.
  std::size_t lines_ = 0;       ///< Number of finished lines.
};

/// Reads a body of Framing::sse_or_array: it waits for the first byte that is not blank, then reads by its framing.
class SseOrArrayReader {
 public:
  void feed(std::string_view bytes);
  void finish();
  const std::vector<SseEvent>& events() const;
  std::vector<SseEvent> take_settled();
  std::vector<SseEvent> take_events() &&;

  bool operator==(const SseOrArrayReader&) const = default;

 private:
  std::string begin_;  ///< The blank bytes so far, until the framing is known.
  std::variant<SseReader, JsonArrayReader> reader_;
  bool known_ = false;
};

/// Frames of a body in any framing.
class FrameReader {
 public:
  explicit FrameReader(Framing framing);

  void feed(std::string_view bytes);
  void finish();
  const std::vector<SseEvent>& events() const&;
  std::vector<SseEvent> events() && = delete;  // the reader must outlive a loop over its events

  /// Moves out the frames that later bytes cannot change. Moves out all frames if the reader is not used
  /// again.
  std::vector<SseEvent> take_settled();
  std::vector<SseEvent> take_events() &&;

  bool operator==(const FrameReader&) const = default;

 private:
  std::variant<SseReader, JsonLinesReader, AwsFrameReader, JsonArrayReader, SseOrArrayReader> reader_;
};

/// Calls `take` with each frame of a body in order, until it returns false. If the body has many small
/// frames, only some are in memory at once.
template <class Take>
void for_each_frame(std::string_view body, Framing framing, const Take& take) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  const auto all_of = [&take](const std::vector<SseEvent>& frames) {
    return std::all_of(frames.begin(), frames.end(), take);
  };
  FrameReader reader(framing);
  for (; !body.empty(); body.remove_prefix(std::min(kPiece, body.size()))) {
    reader.feed(body.substr(0, kPiece));
    if (!all_of(reader.take_settled())) return;
  }
  reader.finish();
  all_of(std::move(reader).take_events());
}

}  // namespace splitproof::observe
