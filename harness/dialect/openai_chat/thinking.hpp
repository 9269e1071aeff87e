#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// The thinking that an answer has had so far.
struct ChatThinking {
  std::vector<std::string_view>
      thoughts;            ///< the text of each part of thinking that has any; the last ones are enough
  bool all = false;        ///< these are all
  std::size_t pieces = 0;  ///< that brought it
  std::string_view key;    ///< of the delta, under which the last piece came
};

/// What one delta says of thinking.
struct DeltaThinking {
  std::string_view key;   ///< under which `text` comes; empty: there is none
  std::string text;       ///< what is new
  std::string signature;  ///< the last one
  bool several = false;   ///< more than one key says something
  bool again = false;     ///< a list says once more what was said
  bool in_parts = false;  ///< of them several are signed, though it was one thought
  bool unclear = false;   ///< `text` may be such a repetition, or be new
};

/// Reads the thinking of a delta. A list of elements is a repetition if it is signed, or comes under another key than the
/// pieces did, and says exactly what was said: all elements together the last thought or all thoughts, or one element each
/// of the last thoughts. The same text under another key of that delta repeats it, too. Of several keys that say
/// something new the first counts. Takes time linear in the delta and the thoughts that are as long as it.
DeltaThinking read_thinking(const observe::WireJson& delta, const ChatThinking& past);

}  // namespace splitproof::dialect
