#pragma once

#include <cstddef>
#include <string>

#include "harness/result.hpp"

namespace splitproof {

/// Maximum size of an input in bytes, which also limits an endless device.
inline constexpr std::size_t kLargestInput = std::size_t{256} << 20;

/// Returns all bytes of a file, built in or not, or of standard input for "-". An Error has the system's
/// reason. Otherwise there are more than kLargestInput bytes, nobody writes to a pipe, or its writer stays
/// silent (pipe_waits.hpp). Waits for standard input without a limit.
Result<std::string> read_file(const std::string& path);

/// Returns only the beginning: at most `most` bytes and some thousands.
Result<std::string> read_start(const std::string& path, std::size_t most);

}  // namespace splitproof
