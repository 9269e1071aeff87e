#pragma once

#include <cstddef>
#include <string_view>

namespace splitproof::turn {

/// Follows one JSON value that arrives in pieces, by its brackets and strings alone: enough to know when an
/// object, array or string has come to its end, not whether it is valid. A bare number or literal never
/// counts as complete, since more digits may follow.
class JsonProgress {
 public:
  void feed(std::string_view piece) {
    for (const char c : piece) take(c);
  }

  /// True once the first value has closed.
  bool complete() const { return complete_; }

  bool operator==(const JsonProgress&) const = default;

 private:
  void take(char c) {
    if (complete_) return;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
        complete_ = depth_ == 0;
      }
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
      complete_ = --depth_ == 0;
    }
  }

  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool complete_ = false;
};

}  // namespace splitproof::turn
