#pragma once

#include <cstddef>
#include <string_view>

#include "harness/split/seam.hpp"

namespace splitproof::split {

/// The surroundings of one offset of an SSE body, found by searching from the start to the end of its line. It carries
/// no state between lines and shares no code with `find_seams`. Speed does not matter.
class Place {
 public:
  /// `offset` is in 1 .. size of `body` - 1. The view must outlive the place.
  Place(std::string_view body, std::size_t offset);

  /// True if a cut here is of that kind. For well-formed JSON this defines the kind, except for the inner ones: it does
  /// not pair the backslashes of a run. For broken JSON it is a necessary condition.
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
  std::size_t first_line_;      ///< 3 after a BOM, otherwise 0
  std::size_t line_;            ///< start of the line
  std::size_t line_end_;        ///< end of its content
  std::size_t colon_;           ///< its first colon, or line_end_
  std::size_t value_;           ///< start of its value, or line_end_
  std::size_t string_ = 0;      ///< opening quote of the string around the offset, or 0
  std::size_t string_end_ = 0;  ///< after its closing quote
};

}  // namespace splitproof::split
