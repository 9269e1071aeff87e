#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// The thinking of an answer so far.
struct ChatThinking {
  std::vector<std::string_view>
      thoughts;                ///< The text of each nonempty part of thinking; the last ones are enough.
  bool all = false;            ///< These are all thoughts.
  std::size_t pieces = 0;      ///< Number of pieces.
  std::string_view key;        ///< Key of the last piece in the delta.
  std::string_view signature;  ///< Signature of the last thought.
  std::string_view unlisted{};  ///< what strings have said since the last list with text
};

/// A piece of a thought: an element of a list, or a string.
struct ThoughtPiece {
  std::string text;
  std::string signature;                ///< It ends the thought.
  std::optional<std::uint64_t> number;  ///< `index` of the element: another one begins another thought.
  bool sealed = false;                  ///< Data that only the provider can read.
};

/// Thinking in one delta.
struct DeltaThinking {
  std::string_view key;              ///< Key of the new text; empty: none.
  std::vector<ThoughtPiece> pieces;  ///< New pieces, and signatures.
  bool several = false;              ///< More than one key has a value.
  bool again = false;                ///< A list repeats earlier thinking.
  bool in_parts = false;             ///< Several of its parts are signed, although it was one thought.
  bool unclear = false;              ///< The text may be a repetition, or new.
  bool listed = false;               ///< a list says something
  std::string unlisted{};            ///< what a string says that no list of this delta says
};

/// Reads the thinking of a delta. A list of elements is a repetition if it exactly repeats earlier thinking,
/// and is signed or has another key than the earlier pieces. It may repeat the last thought or all thoughts
/// with all elements together, or the last thoughts with one element each. It is not a repetition if its
/// signature differs from the last thought's. The same text under another key of that delta is a repetition
/// too. If several keys have new text, the first counts. A list with the same text divides it into thoughts.
/// Takes time linear in the delta and in thoughts of the same length.
DeltaThinking read_thinking(const observe::WireJson& delta, const ChatThinking& past);

}  // namespace splitproof::dialect
