#pragma once

#include <cstddef>
#include <string_view>

#include "harness/observe/functions.hpp"
#include "harness/observe/markup_tags.hpp"

namespace splitproof::observe {

/// Minimum number of backticks or tildes that open a fenced block.
inline constexpr std::size_t kLeastFence = 3;

/// Maximum number of spaces before a fence or a quote mark.
inline constexpr std::size_t kDeepestIndent = 3;

/// A line that may open or close a fenced block.
struct FenceLine {
  std::size_t begin = 0;  ///< Start of its marks.
  char mark = '\0';       ///< A backtick or a tilde.
  std::size_t marks = 0;  ///< 0: something other than at most three spaces and marks begins it.
  std::string_view info;  ///< Text after the marks, without white space around it.
  std::size_t end = 0;    ///< End of the line, without its LF.
  bool at_end = false;    ///< The text ends in this line, so it may continue.
};

/// Returns the line that begins at `begin`.
FenceLine fence_line(std::string_view text, std::size_t begin);

/// Returns the call in the object at `begin`, which is first in its line, if nothing else is in that line.
/// The call's end includes the blanks after it.
MarkupAttempt line_json_at(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions,
                           bool whole);

/// Returns the only call in the fenced block whose first line begins at `begin`. It ends before the LF of its
/// last line.
MarkupAttempt fenced_json_at(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions,
                             bool whole);

}  // namespace splitproof::observe
