#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::wire {

/// One event of an upstream stream.
struct SseFrame {
  std::string event;       ///< value of the last `event:` line; empty without one
  std::string data;        ///< `data:` lines joined with LF
  bool terminated = true;  ///< false: the body ended before the blank line came
  bool oversized = false;  ///< passed the size limit; `data` is empty and no frame follows

  bool operator==(const SseFrame&) const = default;
};

/// Cuts a byte stream into events after the WHATWG event-stream rules: lines end in LF, CRLF or CR; one space
/// after the colon is dropped; comments, unknown fields and one leading BOM are ignored. A CR ends its line
/// at once, so nothing waits for the byte behind it.
///
/// Its state is a function of the bytes fed, not of how they were cut: equal bytes leave equal readers.
class SseReader {
 public:
  explicit SseReader(std::size_t event_bytes) : limit_(event_bytes) {}

  /// Takes any bytes and appends the events they complete.
  void feed(std::string_view bytes, std::vector<SseFrame>& frames);

  /// The body is over: appends what an unfinished event holds so far, marked `terminated = false`. A caller
  /// may use it only where it is whole by itself, since the standard drops it.
  void finish(std::vector<SseFrame>& frames);

  /// Forgets everything and reads no more.
  void stop();

  bool operator==(const SseReader&) const = default;

 private:
  void take_line(std::string_view line, std::vector<SseFrame>& frames);
  void take_field(std::string_view line);
  bool too_large(std::vector<SseFrame>& frames);

  std::size_t limit_;
  std::string line_;  // bytes of the line not yet ended
  std::string event_;
  std::string data_;        // each data line with its LF
  bool first_line_ = true;  // a BOM may still come
  bool after_cr_ = false;   // an LF now belongs to the line end before it
  bool over_ = false;       // the limit was passed, or the body has ended
};

}  // namespace splitproof::wire
