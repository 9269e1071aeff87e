#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "proxy/wire/bare_body.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::wire {

/// Cuts the body of an event stream into its events. A body without any that is one JSON object is a bare frame at its
/// end.
class SseFramer {
 public:
  explicit SseFramer(std::size_t event_bytes) : events_(event_bytes), bare_(event_bytes) {}

  /// Takes any bytes and appends the frames they complete.
  void feed(std::string_view bytes, std::vector<Frame>& frames);

  /// The body is over: appends what is left.
  void finish(std::vector<Frame>& frames);

  /// All that came may be one JSON object yet.
  bool may_be_bare() const { return !bare_.text().empty(); }

  /// Forgets everything and cuts no more.
  void stop();

  bool operator==(const SseFramer&) const = default;

 private:
  SseReader events_;
  BareBody bare_;  // what came, until it proves to be a stream
};

}  // namespace splitproof::wire
