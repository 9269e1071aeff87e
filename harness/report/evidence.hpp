#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/cause/cause.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// The wrong bytes of an answer.
struct WrongPlace {
  std::optional<std::size_t> event;  ///< nullopt: at the end, or outside of events.
  std::size_t begin = 0;             ///< Bytes of the body to show around the mark.
  std::size_t end = 0;
  std::size_t mark = 0;  ///< The wrong bytes; `mark_end` = `mark`: something is missing there.
  std::size_t mark_end = 0;
};

/// Returns the wrong bytes of an answer that shows a violation. `body` is the whole answer. If the violation
/// states the value that was found, the mark covers its first wrong bytes; otherwise it covers the event, or the
/// end of the stream.
WrongPlace wrong_place(std::string_view body, const results::Place& place,
                       const contract::Violation& violation);

/// Returns a line with the bytes around a mark, and a second line with ^ below it.
std::string marked_picture(std::string_view body, const WrongPlace& place);

/// Returns the lines of the console that prove a bug: the case, what was found, expected and actual value, the
/// wrong bytes, and the cuts. A bug of requests has the differences of the two requests instead. If two answers to
/// one upstream differ, and the answer of the shown case meets every other rule, the other answer is the wrong one.
std::string evidence_lines(const cause::Cause& cause, const results::Rules& rules);

/// Returns the same for a case of a recording, without the values.
std::string evidence_lines(const results::Reproducer& first, const results::RecordingResult& in);

/// True if the values of a violation are only true and false. The message says it in words.
bool are_booleans(const std::string& wanted, const std::string& found);

}  // namespace splitproof::report
