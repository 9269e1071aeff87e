#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "proxy/wire/bare_body.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::wire {

/// Cuts the body of an event stream into its events. A body of one JSON object without events is a bare frame at its
/// end.
class SseFramer {
 public:
  explicit SseFramer(std::size_t event_bytes) : events_(event_bytes), bare_(event_bytes) {}

  /// Takes bytes and appends the complete frames.
  void feed(std::string_view bytes, std::vector<Frame>& frames);

  /// The body is over. Appends the rest.
  void finish(std::vector<Frame>& frames);

  /// True if the input may still be one JSON object.
  bool may_be_bare() const { return !bare_.text().empty(); }

  /// Clears the state and cuts no more events.
  void stop();

  bool operator==(const SseFramer&) const = default;

 private:
  SseReader events_;
  BareBody bare_;  // the input, until it proves to be a stream
};

}  // namespace splitproof::wire
