#pragma once

#include <string>

namespace splitproof::testee {

/// The last lines of a file, at most kMostLastLines and 4 KiB of them, each after a line end and two blanks, so that they
/// follow a sentence; empty where the file is empty or absent.
std::string last_lines(const std::string& path);
inline constexpr int kMostLastLines = 12;

/// `sentence`, with the last lines of a file where there are any.
std::string with_last_lines(const std::string& sentence, const std::string& path);

}  // namespace splitproof::testee
