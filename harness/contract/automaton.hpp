#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/contract/pattern.hpp"
#include "harness/contract/reading.hpp"

namespace splitproof::contract {

/// A pattern as a nondeterministic automaton without empty moves.
///
/// Every name, `any` and `not( )` in the pattern is one position (Glushkov's construction). A state is the
/// position of the event last consumed. A set of states is one 64-bit word, so a pattern has at most 62
/// positions. An event moves to the following positions that it satisfies; it may belong to several classes.
/// Two extra states are `start`, before anything was consumed, and `^`, before the first event of a slice
/// (only in patterns sought anywhere).
///
/// One step costs one pass over the positions. A running monitor needs one word of memory a slice.
class Automaton {
 public:
  using States = std::uint64_t;

  /// With `anywhere` a match may begin at any event, unless it begins with `^` (`never`). Otherwise all
  /// events must match and `^` has no effect (`finally`). Throws Mistake at `line` if the pattern is too
  /// long.
  Automaton(const Pattern& pattern, bool anywhere, std::size_t line);

  /// Returns the states before the first event of a slice.
  States begin() const { return begin_; }

  /// Returns the states after subject `i` of the reading; 0 if no match is possible any more.
  States step(States states, const Reading& reading, std::size_t i) const;

  /// Like `step`, but also updates where matches begin. For each state, `begins` has one plus the number of
  /// the last event at which its match begins. 0 is before the first event. It is empty at the beginning.
  States step(States states, const Reading& reading, std::size_t i, std::vector<std::size_t>& begins) const;

  /// Returns the beginning of the shortest match that ends here, in the form of `begins`.
  std::size_t begin_of_match(States states, const std::vector<std::size_t>& begins) const;

  /// True if the consumed events are a match.
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
  States always_ = 0;  ///< states active at every event, so that a match may begin there
  States accepting_ = 0;
};

}  // namespace splitproof::contract
