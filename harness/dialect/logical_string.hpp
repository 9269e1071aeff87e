#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

namespace splitproof::dialect {

/// What a strand is for its reader.
enum class StringKind : std::uint8_t {
  prose,      ///< words that a person reads
  arguments,  ///< JSON text that a tool is called with
  input,      ///< free text that a tool is called with
  sealed,     ///< bytes that only the server reads: a signature
  name,       ///< of a tool
  id,         ///< names something for other events, or for the next request
};

/// A place where a strand stands again.
struct Repeat {
  std::string_view where;  ///< "item-done"
  FieldRef spot;
};

/// One thing that a stream says, in a piece or in several, and perhaps again, whole, elsewhere.
struct LogicalString {
  std::string_view what;  ///< "tool_use.arguments": of the strand class
  std::vector<FieldRef> pieces;
  std::vector<Repeat> repeats;

  /// The pieces, joined.
  std::string text(const Draft& draft) const;

  /// Says something else in all places: as many characters in each piece as it had, and what is left in the last.
  void say(Draft& draft, const std::string& text) const;

  /// Puts another JSON value in all places; every piece becomes it.
  void put(Draft& draft, std::string_view value) const;
};

/// The strands of a dialect by name.
struct LogicalStringClass {
  std::string_view what;
  StringKind nature = StringKind::prose;
  bool in_pieces = false;                     ///< else it is said at once
  std::span<const std::string_view> repeats;  ///< where it can stand again
  bool one_a_stream = false;                  ///< no stream has two that say different things
};

}  // namespace splitproof::dialect
