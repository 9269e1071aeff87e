#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace splitproof::wire {

/// A header of a frame, with a text as its value. Name: 1 to 255 bytes. Value: at most 65,535 bytes.
struct FrameHeader {
  std::string_view name;
  std::string_view value;
};

/// Appends a frame of `application/vnd.amazon.eventstream` with correct checksums. EventStreamFramer draws its form.
void append_event_frame(std::string& out, std::initializer_list<FrameHeader> headers,
                        std::string_view payload);

}  // namespace splitproof::wire
