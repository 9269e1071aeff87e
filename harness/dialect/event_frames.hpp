#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// A block of lines of an event stream with the blank line that ends it, as dealers see it: views into the body.
struct EventFrame {
  std::string_view bytes;     ///< all of it
  std::string_view before;    ///< of an event: what stands before its JSON text
  std::string_view after;     ///< of an event: what stands behind it, two line ends
  bool says_nothing = false;  ///< there is no field, only comments
  std::shared_ptr<const nlohmann::ordered_json>
      json;          ///< the object of one that is an `event` line, perhaps, and a `data` line; else null
  std::string type;  ///< as that says

  /// The event with other JSON in the place of its own; its own bytes where that is what it says.
  std::string with(const nlohmann::ordered_json& other) const;
  /// An event of another type that stands beside it.
  std::string beside(const nlohmann::ordered_json& other) const;
};

/// The block that begins at `begin`, lines as the WHATWG standard has them. Joined, all blocks are the body.
EventFrame event_frame_at(std::string_view body, std::size_t begin);

/// What stands in the place of frames.
using FrameReplacements = std::map<std::size_t, std::vector<std::string>>;

template <class Frames>
split::Recut rewrite(const Frames& frames, const FrameReplacements& replacements) {
  split::Recut recut;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto found = replacements.find(i);
    if (found == replacements.end()) {
      recut.append(frames[i].bytes);
    } else {
      for (const std::string& event : found->second) recut.append(event);
    }
  }
  return recut;
}

/// Writing anew keeps integers as they are, and no other number.
bool has_fractions(const nlohmann::ordered_json& json);

}  // namespace splitproof::dialect
