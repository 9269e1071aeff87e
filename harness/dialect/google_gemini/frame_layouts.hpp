#pragma once

#include <span>
#include <string_view>

#include "harness/dialect/google_gemini/recut_body.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// One way to divide the same parts, end and counts among frames:
///
///     parts:joined   all parts in one frame
///     parts:apart    a frame for each part
///     finish:apart   the finish reason in a frame after the last part
///     finish:fused   the finish reason in the frame of the last part
///     usage:each     the last counts on every frame
///     usage:last     the counts only on the last frame
struct FrameLayout {
  std::string_view label;
  split::Recut (*apply)(
      const GeminiBody& body);  ///< Returns the unchanged body if the layout does not apply.
};

std::span<const FrameLayout> frame_layouts();

}  // namespace splitproof::dialect
