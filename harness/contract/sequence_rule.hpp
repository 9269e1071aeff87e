#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/contract/automaton.hpp"
#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `never: PATTERN` and `finally: PATTERN`, over the events that the rule reads: those of the classes it
/// names and of `among`. A pattern with `any` or `not( )` and without `among` reads every event of the trace,
/// and the elements of the classes it names.
///
/// `never` is violated at the first event that completes a match, wherever in its slice the match began.
/// `finally` must match all events of a slice when the stream has ended. It is violated at the event that
/// made this impossible, otherwise at the end.
class SequenceRule {
 public:
  enum class Kind { never, finally };

  /// `among` is null if missing. Throws Mistake.
  static SequenceRule parse(Kind kind, const YamlNode& pattern, const YamlNode* among,
                            const Alphabet& alphabet);

  Kind kind() const { return kind_; }

  /// State after a part of a stream.
  struct Progress {
    struct Slice {
      Automaton::States states = 0;
      std::vector<std::size_t> begins;  ///< never: in the form of Automaton
      std::optional<std::size_t> last;  ///< finally: last event read
    };
    struct Misplaced {
      std::size_t subject = 0;
      std::size_t slice = 0;
      std::optional<std::size_t> first;  ///< the other event of the violation
    };
    std::vector<Slice> slices;
    bool exercised = false;
    std::optional<Misplaced> violation;
  };

  /// Reads a window. Each event read costs one automaton step and one look-up of its slice's states.
  void take(Progress& progress, const Reading& reading, const Slices& slices) const;
  ClauseResult finish(Progress& progress, const Reading& reading, const Slices& slices) const;

 private:
  SequenceRule(Kind kind, Pattern pattern, std::size_t line);

  Kind kind_;
  Pattern pattern_;
  Automaton automaton_;
  ClassSet reads_;
};

}  // namespace splitproof::contract
