#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/event_frames.hpp"

namespace splitproof::dialect {

enum class ResponsesRole : std::uint8_t {
  other,       ///< Left unchanged.
  nothing,     ///< Only keeps the connection alive.
  about,       ///< About an item, without content of its own.
  item_start,  ///< response.output_item.added
  item_end,    ///< response.output_item.done
  part_start,  ///< The start of a part.
  part_end,    ///< End of a part.
  delta,       ///< A piece of a string.
  all          ///< A complete string.
};

/// A frame of a body of Responses.
struct ResponsesFrame : EventFrame {
  ResponsesRole role = ResponsesRole::other;
  std::string key;          ///< Frames with a string or a piece of it: the string's key, by item and part.
  std::string_view member;  ///< The member with the string or piece.
  std::string said;         ///< The string or piece.
};

/// A split body of Responses. It holds views into the body.
struct ResponsesBody {
  std::vector<ResponsesFrame> frames;  ///< Joined, they are the body.
  std::size_t end = 0;                 ///< Frame that ends the response, or the number of frames.
  bool started = false;                ///< response.created is the first of all events.

  /// True if most of the body is redundant. Each item is added once and done once, with the next number and
  /// one id. The response is completed or incomplete, and all copies of a string agree.
  bool regular = false;
  bool in_order = true;          ///< Regular bodies only: items end in the order of their additions.
  bool spoken = true;            ///< Regular bodies only: each string has events of its own.
  bool repeats = false;          ///< Regular bodies only: the last event has every item.
  bool repeats_exactly = false;  ///< These items have the same members as in output_item.done.
  std::map<std::string, std::string> strings;   ///< Regular bodies only: each complete string by key.
  std::vector<std::vector<std::size_t>> items;  ///< Regular bodies only: the frames of each item.
};

/// Splits any bytes. Leaves alone what is before response.created or after the end.
ResponsesBody read_responses_body(std::string_view body);

}  // namespace splitproof::dialect
