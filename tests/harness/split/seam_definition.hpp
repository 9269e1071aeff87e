#pragma once

#include <cstddef>
#include <string_view>

#include "harness/split/seam.hpp"

namespace splitproof::split {

/// What stands around one offset of an SSE body, found by looking back to the start of its line and forth to
/// its end: no state is carried from line to line, nothing is shared with `find_seams`, and speed is no
/// concern.
class Place {
 public:
  /// `offset` in 1 .. size of `body` - 1. The view must outlive the place.
  Place(std::string_view body, std::size_t offset);

  /// True where a cut here is of that kind. Where JSON is well-formed this is the definition of the kind,
  /// except for the inner ones: of a run of backslashes it does not count which of them pair up. Where JSON
  /// is broken it is necessary.
  bool is(SeamKind kind) const;

 private:
  char at(std::size_t offset) const { return offset < body_.size() ? body_[offset] : '\0'; }
  bool is_line_end(std::size_t offset) const { return at(offset) == '\r' || at(offset) == '\n'; }
  bool is_line_start(std::size_t offset) const;
  std::size_t end_of_previous_line() const;
  bool in_utf8(std::size_t length) const;
  bool in_line(SeamKind kind) const;
  bool in_json(SeamKind kind) const;
  bool in_number() const;
  bool in_literal() const;
  bool begins_escape(std::size_t offset) const;
  long unit(std::size_t escape) const;
  bool in_unicode_escape(bool of_pair) const;
  bool in_inner(SeamKind kind) const;

  std::string_view body_;
  std::size_t offset_;
  std::size_t first_line_;      ///< 3 after a BOM, else 0
  std::size_t line_;            ///< where the line begins
  std::size_t line_end_;        ///< where its content ends
  std::size_t colon_;           ///< its first colon, or line_end_
  std::size_t value_;           ///< where its value begins, or line_end_
  std::size_t string_ = 0;      ///< opening quote of the string that the offset is in, 0 when in none
  std::size_t string_end_ = 0;  ///< past its closing quote
};

}  // namespace splitproof::split
