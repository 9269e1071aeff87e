#pragma once

#include <cstdint>
#include <string_view>

namespace splitproof::text {

/// Follows whether the text before explains the text that follows: `Write it so: <tool_call>...`.
class Explanation {
 public:
  /// Takes the next byte.
  void take(char c);

  /// Takes bytes without tags and code.
  void pass(std::string_view plain);

  /// True if a tag at the next byte is explained: after a colon in its line.
  bool tag() const { return tag_; }

  /// The same for a line of JSON and a fenced block: after a colon or in a list, in this line or one before.
  bool line() const { return line_; }

  bool operator==(const Explanation&) const = default;

 private:
  bool tag_ = false;
  bool line_ = false;
  std::uint8_t wide_ = 0;  // bytes of a full-width colon
};

}  // namespace splitproof::text
