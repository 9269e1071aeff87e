#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/google_gemini/json_array.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::proxy::dialect {

/// Cuts the body of a Gemini answer into its objects. The first byte after a byte order mark and blanks decides the form:
/// `[` begins an array, `{` one object, and any other byte server-sent events.
///
/// A line after a blank one may begin with `{`. From there to the end, the body is one more object. Google may send the
/// error of a stream like this.
///
/// Its state depends only on the bytes, not on their chunks.
class GeminiFramer {
 public:
  explicit GeminiFramer(std::size_t object_bytes)
      : limit_(object_bytes), events_(object_bytes), array_(object_bytes) {}

  /// Takes bytes and appends the complete frames. A frame above the limit is oversized, and the last.
  void feed(std::string_view bytes, std::vector<wire::Frame>& frames);

  /// The body is over. Appends the rest, marked `terminated = false`.
  void finish(std::vector<wire::Frame>& frames);

  /// Clears the state and cuts no more frames.
  void stop();

  bool operator==(const GeminiFramer&) const = default;

 private:
  enum class Form : std::uint8_t { unknown, events, array, object, over };

  void choose_form(std::string_view& bytes, std::vector<wire::Frame>& frames);
  void feed_events(std::string_view bytes, std::vector<wire::Frame>& frames);
  bool cut_events(std::string_view bytes, std::vector<wire::Frame>& frames);
  void feed_object(std::string_view bytes, std::vector<wire::Frame>& frames);

  std::size_t limit_;
  Form form_ = Form::unknown;
  std::size_t mark_ = 0;  // bytes of a byte order mark so far; all of them if it can come no more
  wire::SseReader events_;
  bool line_begins_ = true;  // the next byte is the first of a line of events
  bool in_event_ = false;    // a line has come since the last blank one
  bool after_cr_ = false;    // a LF would belong to the CR before it
  JsonArrayFramer array_;
  std::string object_;  // the beginning of the one object
};

}  // namespace splitproof::proxy::dialect
