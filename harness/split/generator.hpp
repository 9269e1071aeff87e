#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/split/seam.hpp"
#include "harness/split/split.hpp"

namespace splitproof::split {

/// Properties of a recorded body that generators need.
struct Subject {
  std::size_t size;         ///< Bytes of the body.
  std::vector<Seam> seams;  ///< `find_seams` of the body.
  Cuts arrivals;            ///< Boundaries of recorded chunks.
  Cuts event_ends;          ///< Ends of events that more of the body follows.

  bool operator==(const Subject&) const = default;
};

/// Surveys `body`; its recorded chunks begin or end at `arrivals`, in any order. Drops arrivals that cut
/// nothing: 0, the end and beyond (a shortened body), repeats (empty chunks). An SSE event is a block before
/// a blank line with a line that is not a comment. A JSON lines event is a line that is not blank. An event
/// of an AWS event stream is a frame.
Subject survey(std::string_view body, const std::vector<std::size_t>& arrivals, const BodyFormat& format);

/// Returns only the event ends of a survey, several times faster.
Cuts event_ends_of(std::string_view body, const BodyFormat& format);

// A generator is one of these values. `label` is its only text form.

struct AsRecorded {  ///< gen=recorded: the recorded chunks.
  bool operator==(const AsRecorded&) const = default;
};
/// gen=timed, gen=timed:SPEED: the recorded chunks, after the recorded gaps divided by the speed.
struct Timed {
  static constexpr double kSlowest = 0.01;
  static constexpr double kFastest = 10'000;
  double speed = 1;  ///< kSlowest .. kFastest.
  bool operator==(const Timed&) const = default;
};
struct Whole {  ///< gen=whole: no cut.
  bool operator==(const Whole&) const = default;
};
struct ByteByByte {  ///< gen=bytes: every cut.
  bool operator==(const ByteByByte&) const = default;
};
struct AtEvents {  ///< gen=events: a cut after every event.
  bool operator==(const AtEvents&) const = default;
};
/// gen=withheld: like gen=events, and waits after each event until the client received it.
struct Withheld {
  bool operator==(const Withheld&) const = default;
};
struct AtTail {  ///< gen=tail:I: cuts at the last four event ends whose bit is set in I; bit 0 is the last.
  std::size_t ends;  ///< 0 .. 15.
  bool operator==(const AtTail&) const = default;
};
struct AtSeam {  ///< gen=seam:I: one cut, at seam I of `find_seams(body)`, from 0.
  std::size_t index;
  bool operator==(const AtSeam&) const = default;
};
struct AtSeamsOf {  ///< gen=seams:KIND: a cut at every seam of the kind.
  SeamKind kind;
  bool operator==(const AtSeamsOf&) const = default;
};
struct AtRandom {  ///< gen=random:I:seedS: `random_cuts(body size, I, S)`.
  std::size_t index;
  std::uint64_t seed;
  bool operator==(const AtRandom&) const = default;
};
struct AtCuts {  ///< cuts=12,340: these.
  Cuts cuts;
  bool operator==(const AtCuts&) const = default;
};

using Generator = std::variant<AsRecorded, Timed, Whole, ByteByByte, AtEvents, Withheld, AtTail, AtSeam,
                               AtSeamsOf, AtRandom, AtCuts>;

/// Returns the label for case ids. `parse_generator(label(g)) == g`.
std::string label(const Generator& generator);

/// Parses a label. Returns an Error if it is unknown or not in the form of `label`. Each split has one label,
/// so `gen=seam:07` is refused.
Result<Generator> parse_generator(std::string_view label);

/// Parses the speed of gen=timed, such as "4" or "0.5".
Result<double> parse_speed(std::string_view text);

/// Number of last events that `gen=tail` cuts: text, finish, usage and closing mark.
inline constexpr std::size_t kTailEnds = 4;

/// Returns the cuts of a generator, a pure function of both. Returns an Error if the body has no such seam or
/// event, or cuts do not fit.
Result<Cuts> generate(const Generator& generator, const Subject& subject);

/// Returns the cuts of a generator for a body; `arrivals` and `format` are as for `survey`. Surveys the body
/// only if the generator needs seams or events: a survey takes 8 bytes of memory a byte.
Result<Cuts> cuts_of(const Generator& generator, std::string_view body,
                     const std::vector<std::size_t>& arrivals, const BodyFormat& format);

}  // namespace splitproof::split
