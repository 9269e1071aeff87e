#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/event_frames.hpp"

namespace splitproof::dialect {

/// An event of such a body, with its piece if a recut may divide it.
struct CohereFrame : EventFrame {
  std::string_view key;     ///< "text", "thinking", "tool_plan" or "arguments"; empty: it has no such piece.
  std::string piece;        ///< The piece; may be empty.
  std::uint64_t index = 0;  ///< Index of its block or call.

  /// Returns the event with another piece.
  std::string with_piece(const std::string& other) const;
};

/// A body that is taken apart. It holds views into the body.
struct CohereBody {
  std::vector<CohereFrame> frames;  ///< Joined, they are the body.
  std::size_t end = 0;              ///< Index of message-end, or the number of frames.

  bool ends() const { return end < frames.size(); }
};

/// Takes apart any bytes. Frames before message-start and after message-end have no JSON, so they stay unchanged. So do
/// frames that hold more than a piece.
CohereBody read_cohere_body(std::string_view body);

}  // namespace splitproof::dialect
