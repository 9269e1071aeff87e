#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::recording {

/// A string as programs print it.
struct QuotedText {
  std::string text;     ///< without quotes and escapes
  std::size_t end = 0;  ///< offset after the closing quote
};

/// Reads the string whose opening quote, ' or ", is at `at`. Knows the escapes of JSON and of Python; in
/// `b'...'` an escape \xNN is a byte. Returns nullopt if no string begins there, or if it does not end on its
/// line.
std::optional<QuotedText> read_quoted(std::string_view line, std::size_t at);

/// Reads `text` as the content of such a string.
std::optional<std::string> unescaped(std::string_view text);

/// Reads one string, or a bracketed list of strings, surrounded only by blanks. Returns nullopt for any other
/// text.
std::optional<std::vector<std::string>> read_quoted_list(std::string_view text);

}  // namespace splitproof::recording
