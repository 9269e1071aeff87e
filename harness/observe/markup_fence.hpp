#pragma once

#include <cstddef>
#include <string_view>

#include "harness/observe/functions.hpp"
#include "harness/observe/markup_tags.hpp"

namespace splitproof::observe {

/// So many backticks, or tildes, open a fenced block.
inline constexpr std::size_t kLeastFence = 3;

/// So many spaces may stand before what opens or closes one, or begins a quote.
inline constexpr std::size_t kDeepestIndent = 3;

/// A line as one that opens or closes a fenced block.
struct FenceLine {
  std::size_t begin = 0;  ///< of its marks
  char mark = '\0';       ///< a backtick or a tilde
  std::size_t marks = 0;  ///< 0: it begins with anything else than at most three spaces and marks
  std::string_view info;  ///< what stands behind them, without white space around it
  std::size_t end = 0;    ///< of the line, without its LF
  bool at_end = false;    ///< the text ends in it, so it may go on
};

/// The line that begins at `begin`.
FenceLine fence_line(std::string_view text, std::size_t begin);

/// The call that the object at `begin`, the first in its line, is if it stands alone there. It ends behind the blanks that
/// follow it.
MarkupAttempt line_json_at(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions,
                           bool whole);

/// The call that alone is in the fenced block whose first line begins at `begin`. It ends before the LF of its last line.
MarkupAttempt fenced_json_at(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions,
                             bool whole);

}  // namespace splitproof::observe
