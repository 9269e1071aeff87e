#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/split/dealer.hpp"

namespace splitproof::dialect {

/// A block of lines of an event stream with the blank line that ends it.
struct AnthropicFrame {
  std::string_view bytes;   ///< all of it
  std::string_view before;  ///< of an event: what stands before its JSON text
  std::string_view after;   ///< of an event: what stands behind it, two line ends
  std::shared_ptr<const nlohmann::ordered_json>
      json;               ///< of one that is an `event` line, perhaps, and a `data` line; else null
  std::string type;       ///< of an event; of a frame without any field, "ping"; else empty
  std::size_t block = 0;  ///< of an event of a block: which, counted by starts from 0
  std::string_view key;   ///< of a delta that says text and nothing else: the text's key
  std::string piece;      ///< that text

  bool is_of_block() const { return type.starts_with("content_block_"); }
  /// The event with other JSON in the place of its own; its own bytes where that is what it says.
  std::string with(const nlohmann::ordered_json& other) const;
  /// An event of another type that stands beside it.
  std::string beside(const nlohmann::ordered_json& other) const;
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

/// What stands in the place of frames.
using AnthropicReplacements = std::map<std::size_t, std::vector<std::string>>;

split::Recut rewrite(const AnthropicBody& body, const AnthropicReplacements& replacements);

}  // namespace splitproof::dialect
