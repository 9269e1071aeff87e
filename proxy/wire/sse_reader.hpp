#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/wire/frame.hpp"

namespace splitproof::wire {

/// Cuts a byte stream into events after the WHATWG event-stream rules: lines end in LF, CRLF or CR; one space
/// after the colon is dropped; comments, unknown fields and one leading BOM are ignored. A CR ends its line
/// at once, so nothing waits for the byte behind it. A frame is an event: its name is the value of its last `event:`
/// line, its data are its `data:` lines joined with LF.
///
/// Its state is a function of the bytes fed, not of how they were cut: equal bytes leave equal readers.
class SseReader {
 public:
  explicit SseReader(std::size_t event_bytes) : limit_(event_bytes) {}

  /// Takes any bytes and appends the events they complete.
  void feed(std::string_view bytes, std::vector<Frame>& frames);

  /// The body is over: appends what an unfinished event holds so far, marked `terminated = false`. A caller
  /// may use it only where it is whole by itself, since the standard drops it.
  void finish(std::vector<Frame>& frames);

  /// Forgets everything and reads no more.
  void stop();

  bool operator==(const SseReader&) const = default;

 private:
  void take_line(std::string_view line, std::vector<Frame>& frames);
  void take_field(std::string_view line);
  bool too_large(std::size_t line, std::vector<Frame>& frames);

  std::size_t limit_;
  std::string line_;  // bytes of the line not yet ended
  std::string event_;
  std::string data_;        // each data line with its LF
  bool first_line_ = true;  // a BOM may still come
  bool after_cr_ = false;   // an LF now belongs to the line end before it
  bool over_ = false;       // the limit was passed, or the body has ended
};

}  // namespace splitproof::wire
