#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/split/split.hpp"

namespace splitproof::shrink {

/// A body and its cuts.
struct Candidate {
  std::string body;
  split::Cuts cuts;

  bool operator==(const Candidate&) const = default;
};

/// The bytes [begin, end) of a body.
struct PieceRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const PieceRange&) const = default;
};

/// Bytes that are removed together. Not empty, ascending, no overlaps.
using Piece = std::vector<PieceRange>;

/// Candidates for removal, without overlaps.
using Pieces = std::vector<Piece>;

/// Returns the draft without these bytes, given in any order; ranges may overlap. A cut stays between the
/// bytes that remain. A cut without an effect is dropped.
Candidate without(const Candidate& draft, std::vector<PieceRange> ranges);

}  // namespace splitproof::shrink
