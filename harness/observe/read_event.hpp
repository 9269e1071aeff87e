#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/trace.hpp"

namespace splitproof::observe {

/// The protocol of a testee that reads event streams and reports the events, such as a library.
inline constexpr std::string_view kEventReader = "sse";

/// An event as a reader of event streams reports it.
struct ReadEvent {
  std::string type;       ///< "message" without an `event:` line.
  std::string data;       ///< Lines joined with LF.
  std::string id;         ///< "" without an id.
  std::size_t begin = 0;  ///< First byte of its line in the report.
  std::size_t end = 0;    ///< One past its line end.
};

/// An event that the standard demands (WHATWG HTML, "Interpreting an event stream").
struct DemandedEvent {
  std::string type;         ///< "message" without an `event:` line, or with an empty one.
  std::string data;         ///< Lines joined with LF.
  std::string id;           ///< The last event id in force.
  bool sets_id = false;     ///< Its own block has an `id` line that counts.
  std::size_t type_at = 0;  ///< One past the line end of its last `event:` line; 0 without one.
  std::size_t begin = 0;    ///< First byte of its block.
  std::size_t end = 0;      ///< One past the line end of its blank line.
  /// Number of bytes with which a reader must report it. A CR may begin a CR LF, so after a CR this is one byte more.
  std::size_t due = 0;
};

/// Returns the events that a reader must report of a whole body. An event without its blank line is none.
std::vector<DemandedEvent> demanded_events(std::string_view body);

/// True if a reader may report the event so. Some report the last event id, others only an id of the event's own
/// block, and the standard defines only the former.
bool reports(const ReadEvent& read, const DemandedEvent& demanded);

/// What a reader reported, in order: a JSON line for each event or error.
struct Reported {
  struct Failure {
    std::string what;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::vector<ReadEvent> events;
  std::vector<Failure> errors;
};

/// Return the line for an event or error, with its line end. `text` must be valid UTF-8.
std::string line_of(const ReadEvent& event);
std::string line_of_error(std::string_view text);

/// Reads such lines. Lines of another form are left out.
Reported reported(std::string_view lines);

/// Returns such lines as events, to show them: the data of each is its line.
Trace report_trace(std::string_view lines);

}  // namespace splitproof::observe
