#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>

namespace splitproof {

/// Reason why something from the environment (a file, a flag, a recording, a contract) is unusable. Bytes
/// from the wire are never an Error: they are data, and become fault events.
struct Error {
  std::string what;      ///< The fault, in one sentence.
  std::string file;      ///< Path as the user gave it; empty without one.
  std::size_t line = 0;  ///< Line, counted from 1; 0 without one.
  std::string hint;      ///< A fix; empty if `what` is enough.

  bool operator==(const Error&) const = default;
};

/// A value, or the reason for its absence.
template <class T>
using Result = tl::expected<T, Error>;

/// Returns "FILE:LINE: WHAT; HINT" without the unknown parts.
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
