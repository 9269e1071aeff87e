#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

namespace splitproof::dialect {

/// Kind of a strand for its reader.
enum class StringKind : std::uint8_t {
  prose,      ///< Words for people.
  arguments,  ///< JSON text for a tool.
  input,      ///< Free text for a tool.
  sealed,     ///< Bytes that only the server reads: a signature.
  name,       ///< Name of a tool.
  id,         ///< Identifies something for other events, or for the next request.
};

/// A further place of a strand.
struct Repeat {
  std::string_view where;  ///< For example "item-done".
  FieldRef spot;
};

/// One content of a stream, in one or several pieces, and perhaps repeated as a whole elsewhere.
struct LogicalString {
  std::string_view what;  ///< Name of the strand class: "tool_use.arguments".
  std::vector<FieldRef> pieces;
  std::vector<Repeat> repeats;

  /// Returns the joined pieces.
  std::string text(const Draft& draft) const;

  /// Replaces the text in all places. Each piece keeps its number of characters, and the last gets the rest.
  void say(Draft& draft, const std::string& text) const;

  /// Puts another JSON value in all places, and in every piece.
  void put(Draft& draft, std::string_view value) const;
};

/// A named class of a dialect's strands.
struct LogicalStringClass {
  std::string_view what;
  StringKind nature = StringKind::prose;
  bool in_pieces = false;                     ///< false: it is sent at once.
  std::span<const std::string_view> repeats;  ///< Names of its further places.
  bool one_a_stream = false;                  ///< All strands of a stream have the same text.
};

}  // namespace splitproof::dialect
