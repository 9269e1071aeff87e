#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::record {

/// A text without its escapes, and the place of each of its bytes in the raw text:
///
///     raw      s k - \ u 0 0 6 1 1
///     text     s k - a           1
///     places   0 1 2 3           9
///
/// So a secret is found in the text and is overwritten in the raw bytes.
class EscapedText {
 public:
  /// Text without escapes: every byte is at its own place.
  explicit EscapedText(std::string_view raw);

  /// Removes one level of the escapes of JSON strings. A character outside ASCII that is written as an escape
  /// becomes one byte, 0xFF.
  EscapedText without_json_escapes() const;

  /// Removes the escapes of URLs, such as %2D.
  EscapedText without_percent_escapes() const;

  const std::string& text() const { return text_; }

  /// Returns the first raw byte of a byte of the text. The place after the last byte is the raw size.
  std::size_t place(std::size_t i) const { return places_.empty() ? i : places_[i]; }

 private:
  EscapedText() = default;
  void add(char c, std::size_t place);

  std::string text_;
  std::vector<std::size_t> places_;  // empty: each byte is at its own place
};

}  // namespace splitproof::record
