#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/event_class.hpp"

namespace splitproof::contract {

/// A pattern over events:
///
///   CLASS        one event of that class
///   any          any one event
///   not(A B)     one event that is neither A nor B
///   ^            the place before the first event; only at the head of a pattern or alternative
///   X Y   X|Y   X*   X+   X?   (X)
///
/// `any` and `not` consume only events that the rule reads.
struct PatternNode {
  enum class Kind { symbol, any, none_of, before_first, sequence, choice, star, plus, maybe };

  Kind kind = Kind::sequence;
  std::vector<std::size_t> classes;  ///< the class of a symbol; those of none_of
  std::vector<PatternNode> parts;    ///< of sequence, choice, star, plus, maybe
};

struct Pattern {
  std::string text;
  PatternNode root;
  std::vector<std::size_t> names;  ///< every class that occurs in it, once
  bool wild = false;               ///< it uses `any` or `not`
  bool at_head = false;            ///< it begins with `^`
};

/// Parses a pattern of at most 2,000 bytes. Throws Mistake at `line`.
Pattern parse_pattern(std::string_view text, std::size_t line, const Alphabet& alphabet);

}  // namespace splitproof::contract
