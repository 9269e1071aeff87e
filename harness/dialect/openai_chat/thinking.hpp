#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// The thinking that an answer has had so far.
struct ChatThinking {
  std::vector<std::string_view>
      thoughts;                 ///< the text of each part of thinking that has any; the last ones are enough
  bool all = false;             ///< these are all
  std::size_t pieces = 0;       ///< that brought it
  std::string_view key;         ///< of the delta, under which the last piece came
  std::string_view signature;   ///< of the last thought
  std::string_view unlisted{};  ///< what strings have said since the last list with text
};

/// A piece of a thought. An element of a list is one; so is a string.
struct ThoughtPiece {
  std::string text;
  std::string signature;                ///< it ends the thought
  std::optional<std::uint64_t> number;  ///< `index` of the element: another one begins another thought
  bool sealed = false;                  ///< it is data that only the provider can read
};

/// What one delta says of thinking.
struct DeltaThinking {
  std::string_view key;              ///< under which new text comes; empty: there is none
  std::vector<ThoughtPiece> pieces;  ///< what is new, and signatures
  bool several = false;              ///< more than one key says something
  bool again = false;                ///< a list says once more what was said
  bool in_parts = false;             ///< of them several are signed, though it was one thought
  bool unclear = false;              ///< the text may be such a repetition, or be new
  bool listed = false;               ///< a list says something
  std::string unlisted{};            ///< what a string says that no list of this delta says
};

/// Reads the thinking of a delta. A list of elements is a repetition if it is signed, or comes under another key than the
/// pieces did, and says exactly what was said: all elements together the last thought or all thoughts, or one element each
/// of the last thoughts. It is none if it has another signature than the last thought. The same text under another key of
/// that delta repeats it, too. A list is also a repetition if it says exactly what strings have said since the last list, as some
/// servers send both a delta apart. If it says a part of that, or more, it is unclear. Of several keys that say something new the first counts. A list with the same text says how
/// that is divided into thoughts. Takes time linear in the delta and the thoughts that are as long as it.
DeltaThinking read_thinking(const observe::WireJson& delta, const ChatThinking& past);

}  // namespace splitproof::dialect
