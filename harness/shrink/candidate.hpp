#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/split/split.hpp"

namespace splitproof::shrink {

/// A body and where it is cut.
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

/// Bytes that are left out together. Not empty, ascending, none overlaps another.
using Piece = std::vector<PieceRange>;

/// Pieces of which as few as possible are to stay. None overlaps another.
using Pieces = std::vector<Piece>;

/// The draft without some bytes, given in any order; ranges may overlap. A cut keeps its place between the bytes that
/// stay; one that no longer cuts anything is gone.
Candidate without(const Candidate& draft, std::vector<PieceRange> ranges);

}  // namespace splitproof::shrink
