#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::testee {

/// Returns the last lines of a program's output, at most kMostLastLines. A line end and two blanks precede each
/// line, so that they follow a sentence. Leaves out colours, and what hides an error: all frames of a stack but the
/// first in the program. Returns "" if the file is empty or missing.
std::string last_lines(const std::string& path);
inline constexpr int kMostLastLines = 12;
inline constexpr std::size_t kMostOfLine = 4096;  ///< Shows the end of a longer line.

/// The words between a sentence and a program's last lines.
inline constexpr std::string_view kLastOutput = "; its last output:";

/// Returns `sentence` followed by the last lines of a file, if any.
std::string with_last_lines(const std::string& sentence, const std::string& path);

}  // namespace splitproof::testee
