#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/wire/frame.hpp"

namespace splitproof::wire {

/// Cuts a byte stream into events by the WHATWG event-stream rules: lines end in LF, CRLF or CR; one space after the
/// colon is dropped; comments, unknown fields and one leading BOM are ignored. A CR ends its line at once, so nothing
/// waits for the next byte. A frame is an event: its name is the last `event:` line, its data the `data:` lines joined
/// with LF.
///
/// Its state depends only on the bytes, not on their chunks.
class SseReader {
 public:
  explicit SseReader(std::size_t event_bytes) : limit_(event_bytes) {}

  /// Takes bytes and appends the complete events.
  void feed(std::string_view bytes, std::vector<Frame>& frames);

  /// The body is over. Appends an unfinished event, marked `terminated = false`. The standard drops it, so callers may
  /// use it only if its content is complete.
  void finish(std::vector<Frame>& frames);

  /// Clears the state and reads no more.
  void stop();

  bool operator==(const SseReader&) const = default;

 private:
  void take_line(std::string_view line, std::vector<Frame>& frames);
  void take_field(std::string_view line);
  bool too_large(std::size_t line, std::vector<Frame>& frames);

  std::size_t limit_;
  std::string line_;  // incomplete line
  std::string event_;
  std::string data_;        // each data line with its LF
  bool first_line_ = true;  // a BOM may still come
  bool after_cr_ = false;   // an LF now belongs to the line end before it
  bool over_ = false;       // the limit was exceeded, or the body has ended
};

}  // namespace splitproof::wire
