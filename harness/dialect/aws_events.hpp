#pragma once

#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::dialect {

// How readers of all dialects that come in an AWS event stream read what its frames are.

/// The text of a frame's header, of several the last; empty where none is a text.
std::string_view header_of(const observe::SseEvent& frame, std::string_view name);

// Shapes of an answer.
inline constexpr std::string_view kBrokenFrame =
    "broken_frame";  ///< a frame cannot be read; take_failure() notes it
inline constexpr std::string_view kFailedAnswer =
    "error";  ///< an error is reported, or something cannot be read

/// Whether a frame tells that the answer failed: it cannot be read, its message is an exception or an error, or of a type
/// that nobody knows. Then `answer` says so.
bool take_failure(const observe::SseEvent& frame, observe::Answer& answer);

/// The error that a whole body is which is no stream but one JSON object. Then `answer` says so.
void take_document(std::string_view body, observe::Answer& answer);

/// Takes a reason to stop over: the first counts, unless a later one says that the answer was cut short.
void take_finish(std::string_view word, observe::Answer& answer);

}  // namespace splitproof::dialect
