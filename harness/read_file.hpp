#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "harness/built_in.hpp"
#include "harness/result.hpp"

namespace splitproof {

/// All bytes of a file, built in or not. An Error gives the system's reason.
inline Result<std::string> read_file(const std::string& path) {
  if (const auto bytes = built_in_file(path)) return std::string(*bytes);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return tl::unexpected(Error{"is a folder, not a file", path, 0, {}});
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) {
    return tl::unexpected(Error{std::string("cannot be read: ") + std::strerror(errno), path, 0, {}});
  }
  return bytes;
}

}  // namespace splitproof
