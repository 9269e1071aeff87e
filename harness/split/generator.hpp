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

/// What a generator needs to know of a recorded body.
struct Subject {
  std::size_t size;         ///< of the body, in bytes
  std::vector<Seam> seams;  ///< `find_seams` of the body
  Cuts arrivals;            ///< where one recorded chunk ended and the next began
  Cuts event_ends;          ///< where an event ended and more of the body follows

  bool operator==(const Subject&) const = default;
};

/// What there is to know of `body`, whose recorded chunks begin or end at `arrivals`, in any order. Arrivals
/// that cut nothing are left out: 0, the end and beyond (a shortened body), repeats (empty chunks). An event of an SSE body is
/// what stands before a blank line and has a line that is no comment; one of JSON lines is a line that is not white space,
/// and one of an AWS event stream a frame.
Subject survey(std::string_view body, const std::vector<std::size_t>& arrivals, const BodyFormat& format);

// A generator is one of these values, and `label` is its only text form.

struct AsRecorded {  ///< gen=recorded: as it arrived
  bool operator==(const AsRecorded&) const = default;
};
struct Whole {  ///< gen=whole: no cut
  bool operator==(const Whole&) const = default;
};
struct ByteByByte {  ///< gen=bytes: every cut
  bool operator==(const ByteByByte&) const = default;
};
struct AtEvents {  ///< gen=events: a cut after every event
  bool operator==(const AtEvents&) const = default;
};
struct
    Withheld {  ///< gen=withheld: as gen=events, and what follows an event waits until the client was told it
  bool operator==(const Withheld&) const = default;
};
struct
    AtTail {  ///< gen=tail:I: cuts at those of the last four event ends whose bit is set in I, the last in bit 0
  std::size_t ends;  ///< 0 .. 15
  bool operator==(const AtTail&) const = default;
};
struct AtSeam {  ///< gen=seam:I: one cut, at the I-th of `find_seams(body)`, from 0
  std::size_t index;
  bool operator==(const AtSeam&) const = default;
};
struct AtSeamsOf {  ///< gen=seams:KIND: a cut at every seam of that kind
  SeamKind kind;
  bool operator==(const AtSeamsOf&) const = default;
};
struct AtRandom {  ///< gen=random:I:seedS: `random_cuts(body size, I, S)`
  std::size_t index;
  std::uint64_t seed;
  bool operator==(const AtRandom&) const = default;
};
struct AtCuts {  ///< cuts=12,340: these
  Cuts cuts;
  bool operator==(const AtCuts&) const = default;
};

using Generator = std::variant<AsRecorded, Whole, ByteByByte, AtEvents, Withheld, AtTail, AtSeam, AtSeamsOf,
                               AtRandom, AtCuts>;

/// The label that case ids carry. `parse_generator(label(g)) == g`.
std::string label(const Generator& generator);

/// Reads a label. An Error where it names no generator, or is not written as `label` would write it (each
/// split has one label, so `gen=seam:07` is refused).
Result<Generator> parse_generator(std::string_view label);

/// How many of a body's last events `gen=tail` looks at: the text, the finish, the usage and the closing mark.
inline constexpr std::size_t kTailEnds = 4;

/// The cuts a generator makes: a pure function of both. An Error where the body has no such seam or event, or
/// cuts do not fit it.
Result<Cuts> generate(const Generator& generator, const Subject& subject);

/// The cuts that a generator makes of a body; `arrivals` and `format` as for `survey`. The body is surveyed only for generators that
/// ask where its seams or events are: a survey takes some 8 bytes a byte.
Result<Cuts> cuts_of(const Generator& generator, std::string_view body,
                     const std::vector<std::size_t>& arrivals, const BodyFormat& format);

}  // namespace splitproof::split
