#pragma once

#include <cstddef>
#include <string>

#include "harness/result.hpp"

namespace splitproof {

/// More than any input can have, in bytes: an endless device ends here too.
inline constexpr std::size_t kLargestInput = std::size_t{256} << 20;

/// All bytes of a file, built in or not; of standard input for "-". An Error gives the system's reason, or says that there
/// are more than kLargestInput, that nobody writes to a pipe, or that whoever does stays silent (pipe_waits.hpp). Standard input
/// is waited for without an end.
Result<std::string> read_file(const std::string& path);

/// The same, of what stands at the beginning: no more than `most` bytes and some thousands.
Result<std::string> read_start(const std::string& path, std::size_t most);

}  // namespace splitproof
