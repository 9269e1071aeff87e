#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/event_frames.hpp"

namespace splitproof::dialect {

/// A frame of such a body. A frame without any field has the type "ping".
struct AnthropicFrame : EventFrame {
  std::size_t block = 0;  ///< Block events only: number of the block's start, from 0.
  std::string_view key;   ///< Text deltas only: the text's key.
  std::string piece;      ///< Text deltas only: the text.

  bool is_of_block() const { return type.starts_with("content_block_"); }
};

/// A split body of Anthropic Messages. It holds views into the body.
struct AnthropicBody {
  std::vector<AnthropicFrame> frames;  ///< Joined, they are the body.
  std::size_t stop = 0;                ///< Index of message_stop, or the number of frames.
  std::vector<std::string> blocks;     ///< Types by their starts.

  bool ends() const { return stop < frames.size(); }
};

/// Splits any bytes into lines as in the WHATWG standard. Leaves alone what is before message_start or after
/// message_stop, and events of a block that is not open.
AnthropicBody read_anthropic_body(std::string_view body);

}  // namespace splitproof::dialect
