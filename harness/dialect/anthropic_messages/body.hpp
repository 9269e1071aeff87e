#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/event_frames.hpp"

namespace splitproof::dialect {

/// A frame of such a body. One without any field has the type "ping".
struct AnthropicFrame : EventFrame {
  std::size_t block = 0;  ///< of an event of a block: which, counted by starts from 0
  std::string_view key;   ///< of a delta that says text and nothing else: the text's key
  std::string piece;      ///< that text

  bool is_of_block() const { return type.starts_with("content_block_"); }
};

/// A body of Anthropic Messages taken apart. Views into the body that it was read from.
struct AnthropicBody {
  std::vector<AnthropicFrame> frames;  ///< joined, they are the body
  std::size_t stop = 0;                ///< the frame of message_stop; as many as there are where none is
  std::vector<std::string> blocks;     ///< types by their starts

  bool ends() const { return stop < frames.size(); }
};

/// Takes apart any bytes: lines as the WHATWG standard has them. What stands before message_start or behind message_stop
/// is left alone, and so is an event of a block that is not open.
AnthropicBody read_anthropic_body(std::string_view body);

}  // namespace splitproof::dialect
