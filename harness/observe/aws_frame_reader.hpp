#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/sse_reader.hpp"

namespace splitproof::observe {

/// Reads an AWS event stream, frame by frame (harness/aws_frame.hpp draws one), and keeps of each what SseReader keeps of an
/// event: its bytes, its payload as data, and beside them its headers. Its event is what `:event-type` says, of several
/// such headers the last, if that is a text.
///
/// Both CRCs are held against the bytes, and all lengths against each other. A frame that fails is kept with `broken`, and
/// nothing behind it is read: where the next one would begin cannot be known. So is a tail that ends inside a frame, with
/// `terminated` false.
///
/// Promises: the state is a function of the bytes fed, not of how they were cut, and compares equal accordingly; linear in
/// the bytes, however small the pieces.
class AwsFrameReader {
 public:
  /// Takes the next bytes, any number of them.
  void feed(std::string_view bytes);

  /// The body has ended. Nothing may be fed afterwards.
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
  std::string frame_;      ///< the bytes so far of the frame that has not ended
  std::size_t begin_ = 0;  ///< where it begins in the body
  std::size_t wanted_ =
      kAwsPrelude;  ///< its bytes up to where there is something to read: the prelude, or all
  bool broken_ = false;
};

}  // namespace splitproof::observe
