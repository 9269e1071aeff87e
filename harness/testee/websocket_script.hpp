#pragma once

#include "harness/dialect/socket_form.hpp"
#include "harness/testee/response_script.hpp"

namespace splitproof::testee {

/// Payload of the pings that a script has.
inline constexpr std::string_view kPingOfScript = "splitproof";

/// A script as frames.
struct FramePlan {
  WritePlan writes;
  bool leaves_open = false;  ///< The connection can carry another answer afterwards.
};

/// Encodes a script as frames of a server. Each event of its body becomes a text message, divided by `script.frames`.
/// Each cut, hold and pause at an offset of the body moves to the frames of that event.
///
///     body    |event: a\n data: |{"type":"a"}|\n\n|event: ..
///     frames  |81 | 0C          |{"type":"a"}|     81 ..
///
/// An offset before the data is in the header, and an offset after it at the end of the message. If the body ends
/// inside of an event, its frame announces one byte more than it has. If it ends between events without the last one of
/// an answer, or with End::closed, a close frame with code 1000 follows. A body cut into single bytes makes each byte of
/// the frames a write. An error status becomes the dialect's message for it.
FramePlan plan_frames(const ResponseScript& script, const dialect::SocketForm& form);

}  // namespace splitproof::testee
