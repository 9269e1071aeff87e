#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

namespace splitproof::selftest {

using dialect::Draft;
using dialect::Spot;

/// What a strand is for its reader.
enum class Nature : std::uint8_t {
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
  Spot spot;
};

/// One thing that a stream says, in a piece or in several, and perhaps again, whole, elsewhere.
struct Strand {
  std::string_view what;  ///< "tool_use.arguments": of the strand class
  std::vector<Spot> pieces;
  std::vector<Repeat> repeats;

  /// The pieces, joined.
  std::string text(const Draft& draft) const;

  /// Says something else in all places: as many characters in each piece as it had, and what is left in the last.
  void say(Draft& draft, const std::string& text) const;

  /// Puts another JSON value in all places; every piece becomes it.
  void put(Draft& draft, std::string_view value) const;
};

/// The strands of a protocol by name.
struct StrandClass {
  std::string_view what;
  Nature nature = Nature::prose;
  bool in_pieces = false;                 ///< else it is said at once
  std::vector<std::string_view> repeats;  ///< where it can stand again
};

const std::vector<StrandClass>& strand_classes(std::string_view protocol);

/// Those of a body, in the order in which they begin.
std::vector<Strand> strands_of(std::string_view protocol, const Draft& draft);

/// Those of one class.
std::vector<Strand> strands_of(std::string_view protocol, const Draft& draft, std::string_view what);

// One file each: harness/selftest/kinds/anthropic_strands.cpp and its like.
const std::vector<StrandClass>& anthropic_strand_classes();
const std::vector<StrandClass>& chat_strand_classes();
const std::vector<StrandClass>& responses_strand_classes();
std::vector<Strand> anthropic_strands(const Draft& draft);
std::vector<Strand> chat_strands(const Draft& draft);
std::vector<Strand> responses_strands(const Draft& draft);

}  // namespace splitproof::selftest
