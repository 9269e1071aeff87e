#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/sse_reader.hpp"

namespace splitproof::observe {

/// Reads an AWS event stream frame by frame (harness/aws_frame.hpp draws one). Keeps the same members as
/// SseReader, with the payload as data, and also the headers. The event name is the last `:event-type`
/// header, if it is a text.
///
/// Compares both CRCs with the bytes, and all lengths with each other. Keeps an invalid frame with `broken`
/// and reads nothing after it, because the next frame's start is unknown. Keeps a tail that ends inside a
/// frame with `broken` and with `terminated` false.
///
/// Guarantees: the state depends only on the bytes and not on their chunks, and compares equal accordingly.
/// The time is linear in the bytes, however small the chunks.
class AwsFrameReader {
 public:
  /// Takes the next bytes, any number of them.
  void feed(std::string_view bytes);

  /// Ends the body. Nothing may be fed afterwards.
  void finish();

  const std::vector<SseEvent>& events() const { return events_; }

  /// Moves out the frames so far.
  std::vector<SseEvent> take_settled() { return std::exchange(events_, {}); }
  std::vector<SseEvent> take_events() && { return std::move(events_); }

  bool operator==(const AwsFrameReader&) const = default;

 private:
  void read_frame();
  void keep_broken(std::string fault, bool terminated);

  std::vector<SseEvent> events_;
  std::string frame_;      ///< Bytes so far of the unfinished frame.
  std::size_t begin_ = 0;  ///< Its offset in the body.
  std::size_t wanted_ =
      kAwsPrelude;  ///< Number of bytes needed for the next step: the prelude, or the whole frame.
  bool broken_ = false;
};

}  // namespace splitproof::observe
