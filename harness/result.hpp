#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>

namespace splitproof {

/// Why something from the environment (a file, a flag, a recording, a contract) could not be used.
/// Bytes from the wire are never an Error: they are data, and become fault events.
struct Error {
  std::string what;      ///< one sentence: what is wrong
  std::string file;      ///< where: path as the user gave it; empty when there is none
  std::size_t line = 0;  ///< where: 1-based line, 0 when there is none
  std::string hint;      ///< how to put it right; empty when `what` says enough

  bool operator==(const Error&) const = default;
};

/// A value, or the reason why there is none.
template <class T>
using Result = tl::expected<T, Error>;

/// "FILE:LINE: WHAT; HINT", leaving out what is not known.
inline std::string describe(const Error& error) {
  std::string text;
  if (!error.file.empty()) {
    text += error.file;
    if (error.line != 0) text += ":" + std::to_string(error.line);
    text += ": ";
  }
  text += error.what;
  if (!error.hint.empty()) text += "; " + error.hint;
  return text;
}

}  // namespace splitproof
