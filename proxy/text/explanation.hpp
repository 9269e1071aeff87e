#pragma once

#include <cstdint>
#include <string_view>

namespace splitproof::text {

/// Follows whether what a text says next is explained by what stands before it: `Write it so: <tool_call>...`.
class Explanation {
 public:
  /// Takes the next byte.
  void take(char c);

  /// Takes many that hold neither tags nor code.
  void pass(std::string_view plain);

  /// A tag is explained that begins at the next byte: on its line, behind a colon.
  bool tag() const { return tag_; }

  /// So are a line of JSON and a fenced block: behind a colon, or among the items of a list, here or in a line before.
  bool line() const { return line_; }

  bool operator==(const Explanation&) const = default;

 private:
  bool tag_ = false;
  bool line_ = false;
  std::uint8_t wide_ = 0;  // bytes of a full-width colon
};

}  // namespace splitproof::text
