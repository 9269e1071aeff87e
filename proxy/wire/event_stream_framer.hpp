#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/wire/bare_body.hpp"
#include "proxy/wire/frame.hpp"

namespace splitproof::wire {

/// Cuts a body of `application/vnd.amazon.eventstream` into its frames:
///
///   | all u32 | headers u32 | CRC-32 of these u32 | headers | payload | CRC-32 of all before it u32 |
///
/// with lengths in bytes and all numbers big-endian. A header is the length of its name in one byte, the name, a byte for
/// the type of its value, and the value. A frame's name is its `:event-type`, what a reader reads its payload. What
/// `:message-type` calls an exception or an error has the name `error`.
///
/// What cannot be a frame is a damaged one, and the last: nobody knows where the next one begins. A body that is one JSON
/// object is a bare frame at its end. The state is a function of the bytes fed, not of how they were cut.
class EventStreamFramer {
 public:
  explicit EventStreamFramer(std::size_t frame_bytes) : limit_(frame_bytes) {}

  /// Takes any bytes and appends the frames they complete. A frame larger than the limit is an oversized one, and the last.
  void feed(std::string_view bytes, std::vector<Frame>& frames);

  /// The body is over: appends a frame that lacks its end, without data and marked `terminated = false`.
  void finish(std::vector<Frame>& frames);

  /// Forgets everything and cuts no more.
  void stop();

  bool operator==(const EventStreamFramer&) const = default;

 private:
  std::size_t next_stop() const;
  void take(std::string_view bytes);
  void read_prelude(std::vector<Frame>& frames);
  void read_frame(std::vector<Frame>& frames);
  void give_up(std::string_view damage, std::vector<Frame>& frames);

  std::size_t limit_;
  std::string held_;                   // of the frame that is not whole yet
  std::uint32_t crc_ = 0;              // of what is held, without the last four bytes of the frame
  bool begun_ = false;                 // a byte has come
  std::optional<BareBody> bare_ = {};  // the body begins as no frame can
  bool over_ = false;
};

}  // namespace splitproof::wire
