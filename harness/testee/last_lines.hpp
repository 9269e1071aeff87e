#pragma once

#include <string>

namespace splitproof::testee {

/// Returns the last lines of a file, at most kMostLastLines and 4 KiB. A line end and two blanks precede each
/// line, so that they follow a sentence. Returns "" if the file is empty or missing.
std::string last_lines(const std::string& path);
inline constexpr int kMostLastLines = 12;

/// Returns `sentence` followed by the last lines of a file, if any.
std::string with_last_lines(const std::string& sentence, const std::string& path);

}  // namespace splitproof::testee
