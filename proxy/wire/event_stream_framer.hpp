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
///     | all u32 | headers u32 | CRC-32 of these u32 | headers | payload | CRC-32 of all before it u32 |
///
/// with lengths in bytes and big-endian numbers. A header is the length of its name in one byte, the name, a byte for
/// the value's type, and the value. A frame's name is its `:event-type`, and its data is the payload. Exceptions and
/// errors by `:message-type` have the name `error`.
///
/// A damaged frame is the last one, because the start of the next is unknown. A body of one JSON object is a bare frame
/// at its end. The state depends only on the bytes, not on their chunks.
class EventStreamFramer {
 public:
  explicit EventStreamFramer(std::size_t frame_bytes) : limit_(frame_bytes) {}

  /// Takes bytes and appends the complete frames. A frame above the limit is an oversized one, and the last.
  void feed(std::string_view bytes, std::vector<Frame>& frames);

  /// The body is over. Appends an incomplete frame without data, marked `terminated = false`.
  void finish(std::vector<Frame>& frames);

  /// Clears the state and cuts no more frames.
  void stop();

  bool operator==(const EventStreamFramer&) const = default;

 private:
  std::size_t next_stop() const;
  void take(std::string_view bytes);
  void read_prelude(std::vector<Frame>& frames);
  void read_frame(std::vector<Frame>& frames);
  void give_up(std::string_view damage, std::vector<Frame>& frames);

  std::size_t limit_;
  std::string held_;                   // incomplete frame
  std::uint32_t crc_ = 0;              // of the held bytes, without the last four bytes of the frame
  bool begun_ = false;                 // a byte has come
  std::optional<BareBody> bare_ = {};  // for a body that begins like no frame
  bool over_ = false;
};

}  // namespace splitproof::wire
