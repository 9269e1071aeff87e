#pragma once

#include <cstddef>

#include "harness/contract/automaton.hpp"
#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `never: PATTERN` and `finally: PATTERN`, over the events that the rule reads: those of the classes it
/// names and of `among`; or, where it uses `any` or `not( )` without `among`, every event of the trace, and
/// the elements of the classes it names.
///
/// `never` is violated at the first event that completes a match, wherever in its slice the match began.
/// `finally` must match all that it read of a slice when the stream has ended; it is violated at the event
/// that made this impossible, or else at the end.
class SequenceRule {
 public:
  enum class Kind { never, finally };

  /// `among` is null when missing. Throws Mistake.
  static SequenceRule parse(Kind kind, const YamlNode& pattern, const YamlNode* among,
                            const Alphabet& alphabet);

  Kind kind() const { return kind_; }

  /// One pass: each event read costs one automaton step and one look-up of its slice's states.
  Outcome judge(const Reading& reading, const Slices& slices) const;

 private:
  SequenceRule(Kind kind, Pattern pattern, std::size_t line);

  Outcome judge_never(const Reading& reading, const Slices& slices) const;
  Outcome judge_finally(const Reading& reading, const Slices& slices) const;

  /// Where the shortest match begins that ends with subject `end`; none where it begins before the first event. Only for
  /// messages: in the worst case quadratic in the events that the rule reads.
  std::optional<std::size_t> match_begin(const Reading& reading, const Slices& slices, std::size_t end) const;

  Kind kind_;
  Pattern pattern_;
  Automaton automaton_;
  ClassSet reads_;
};

}  // namespace splitproof::contract
