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

/// A block of lines of an event stream with its blank line, for dealers. Its members are views into the body.
struct EventFrame {
  std::string_view bytes;     ///< The whole block.
  std::string_view before;    ///< Events only: bytes before the JSON text.
  std::string_view after;     ///< Events only: bytes after the JSON text, two line ends.
  bool says_nothing = false;  ///< Only comments, no field.
  std::shared_ptr<const nlohmann::ordered_json>
      json;          ///< Object of a `data` line, with an optional `event` line; otherwise null.
  std::string type;  ///< The object's type.

  /// Returns the event with other JSON, or its own bytes if the JSON is equal.
  std::string with(const nlohmann::ordered_json& other) const;
  /// Returns an additional event of another type.
  std::string beside(const nlohmann::ordered_json& other) const;
};

/// Returns the block that begins at `begin`, with lines as in the WHATWG standard. All blocks joined are the
/// body.
EventFrame event_frame_at(std::string_view body, std::size_t begin);

/// Replacements of frames.
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

/// True if the object has fractions. Rewriting preserves integers, but no other numbers.
bool has_fractions(const nlohmann::ordered_json& json);

}  // namespace splitproof::dialect
