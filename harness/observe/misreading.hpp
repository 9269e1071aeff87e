#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "harness/observe/read_event.hpp"

namespace splitproof::observe {

/// A stream as a reader receives it.
struct ReadBody {
  std::string_view body;
  std::vector<std::size_t> cuts;  ///< Offsets at which a new read begins; ascending, within the body.
};

/// A known error of readers that changes the events of a stream.
struct Misreading {
  std::string_view name;    ///< Name in the contract `library`.
  bool made = false;        ///< The reader reported exactly the events that this error gives.
  bool holds_back = false;  ///< A reader with this error also reports other events too late.
};

/// Returns the known errors that would change the events of this stream under this split. At most one is `made`: the
/// first that gives exactly what was read. None is `made` if all events are right.
///
/// Each error is a small change of the bytes or of the events. The reader of this harness reads the changed bytes, and
/// the result is compared with the report. So a rule names the error, and not only its effect. `demanded` are the
/// events of the body. `original` are the events that the same reader reported for the body in its original chunks, or null
/// if they are unknown.
std::vector<Misreading> misreadings(const ReadBody& stream, const std::vector<DemandedEvent>& demanded,
                                    const std::vector<ReadEvent>& read,
                                    const std::vector<ReadEvent>* original);

}  // namespace splitproof::observe
