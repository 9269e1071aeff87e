#pragma once

#include "harness/framing.hpp"
#include "harness/split/seam.hpp"

namespace splitproof::split {

inline const BodyFormat kEvents = {Framing::sse, "[DONE]"};
inline const BodyFormat kLines = {Framing::json_lines, {}};
inline const BodyFormat kFrames = {Framing::aws_frames, {}};

/// True if only frames of an AWS event stream have seams of this kind.
constexpr bool is_of_frames(SeamKind kind) {
  return kind >= SeamKind::prelude && kind <= SeamKind::message_crc;
}

}  // namespace splitproof::split
