#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "proxy/wire/sse_reader.hpp"

namespace splitproof::wire {

/// Rewrites an event stream of JSON values as one JSON array, `[...,\r\n...]`. A value leaves once its event is complete,
/// byte for byte. Names and comments of events are left out.
class EventArray {
 public:
  explicit EventArray(std::size_t event_bytes) : reader_(event_bytes) {}

  /// Takes bytes of the stream and appends the elements.
  void feed(std::string_view bytes, std::string& out);

  /// Ends the array, once.
  void finish(std::string& out);

  bool operator==(const EventArray&) const = default;

 private:
  SseReader reader_;
  bool begun_ = false;  // some element was sent
  bool ended_ = false;
};

}  // namespace splitproof::wire
