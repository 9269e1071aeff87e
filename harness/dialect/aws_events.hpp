#pragma once

#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::dialect {

// Shared code of the readers for dialects in an AWS event stream.

/// Returns the text of a frame's header, or "" if it is not a text. The last of several counts.
std::string_view header_of(const observe::SseEvent& frame, std::string_view name);

// Shapes of an answer.
inline constexpr std::string_view kBrokenFrame =
    "broken_frame";  ///< A frame is unreadable; take_failure() notes it.
inline constexpr std::string_view kFailedAnswer =
    "error";  ///< An error is reported, or something is unreadable.

/// True if a frame reports a failure: it is unreadable, or its message is an exception, an error or of
/// unknown type. Then sets the failure in `answer`.
bool take_failure(const observe::SseEvent& frame, observe::Answer& answer);

/// Sets the error in `answer` if a whole body is one JSON object instead of a stream.
void take_document(std::string_view body, observe::Answer& answer);

/// Takes a stop reason. The first counts, unless a later one reports that the answer was cut short.
void take_finish(std::string_view word, observe::Answer& answer);

}  // namespace splitproof::dialect
