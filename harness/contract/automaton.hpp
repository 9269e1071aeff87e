#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/contract/pattern.hpp"
#include "harness/contract/reading.hpp"

namespace splitproof::contract {

/// A pattern as a nondeterministic automaton without empty moves.
///
/// Every name, `any` and `not( )` in the pattern is one position (Glushkov's construction), and a state is
/// the position of the event last consumed, so a set of states is one 64-bit word and pattern length is
/// limited to 62 positions. An event moves to the positions that may follow and that it satisfies; since an
/// event may belong to several classes, it may satisfy several. Two extra states: `start`, before anything
/// was consumed, and `^` (only in patterns sought anywhere), before the first event of a slice.
///
/// One step costs one pass over the positions; memory of a running monitor is one word a slice.
class Automaton {
 public:
  using States = std::uint64_t;

  /// `anywhere`: a match may begin at any event, unless it begins with `^` (`never`). Otherwise the whole of
  /// what is read must match, and `^` says nothing (`finally`). Throws Mistake at `line` for too long a
  /// pattern.
  Automaton(const Pattern& pattern, bool anywhere, std::size_t line);

  /// Before the first event of a slice.
  States begin() const { return begin_; }

  /// After subject `i` of the reading; 0 when no match is possible any more.
  States step(States states, const Reading& reading, std::size_t i) const;

  /// As `step`, and keeps where matches begin: `begins` has for each state the number behind that of the last event with
  /// which a match begins that got there, 0 where that is before the first event. It is empty at the beginning.
  States step(States states, const Reading& reading, std::size_t i, std::vector<std::size_t>& begins) const;

  /// Where the shortest match begins that ends here, as `begins` has it.
  std::size_t begin_of_match(States states, const std::vector<std::size_t>& begins) const;

  /// Whether what was consumed to get here is a match.
  bool accepts(States states) const { return (states & accepting_) != 0; }

 private:
  struct Position {
    PatternNode::Kind kind;
    ClassSet classes;
    States follow = 0;
  };
  struct Span {
    bool nullable = false;
    States first = 0;
    States last = 0;
  };

  Span add(const PatternNode& node, bool anywhere, std::size_t line);
  void link(States from, States to);
  bool satisfies(const Position& position, const Reading& reading, std::size_t i) const;

  std::vector<Position> positions_;
  States begin_ = 0;
  States always_ = 0;  ///< states held at every event, so that a match may begin there
  States accepting_ = 0;
};

}  // namespace splitproof::contract
