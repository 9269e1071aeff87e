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
  other,       ///< left alone
  nothing,     ///< says only that the connection lives
  about,       ///< about an item, and says nothing that is not said again
  item_start,  ///< response.output_item.added
  item_end,    ///< response.output_item.done
  part_start,  ///< the start of a part
  part_end,    ///< its end
  delta,       ///< a piece of a string
  all          ///< all of a string
};

/// A frame of a body of Responses.
struct ResponsesFrame : EventFrame {
  ResponsesRole role = ResponsesRole::other;
  std::string key;          ///< of one that says a string or a piece of it: which, by item and part
  std::string_view member;  ///< where it says that
  std::string said;         ///< that
};

/// A body of Responses taken apart. Views into the body that it was read from.
struct ResponsesBody {
  std::vector<ResponsesFrame> frames;  ///< joined, they are the body
  std::size_t end = 0;   ///< the frame that ends the response; as many as there are where none does
  bool started = false;  ///< response.created comes first of all events

  /// Each item is added once and done once under the next number and one id, the response is completed or incomplete, and
  /// whatever says all of a string says the same. Then most of it may be left out.
  bool regular = false;
  bool in_order = true;          ///< of a regular one: items are done in the order in which they were added
  bool spoken = true;            ///< of a regular one: each string is said by events of its own
  bool repeats = false;          ///< of a regular one: the last event has every item
  bool repeats_exactly = false;  ///< and with the same members as output_item.done
  std::map<std::string, std::string> strings;   ///< of a regular one: all of each string, by key
  std::vector<std::vector<std::size_t>> items;  ///< of a regular one: the frames of each
};

/// Takes apart any bytes. What stands before response.created or behind the end is left alone.
ResponsesBody read_responses_body(std::string_view body);

}  // namespace splitproof::dialect
