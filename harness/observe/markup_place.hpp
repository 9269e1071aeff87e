#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "harness/observe/markup_fence.hpp"
#include "harness/observe/markup_tags.hpp"

namespace splitproof::observe {

/// Where in a text the next byte stands, as far as docs/leaked-markup.md has calls count in one place and not in another:
/// in code, in a quote, in a result or explained markup, behind markup that is left open, behind what explains it.
class MarkupPlace {
 public:
  /// Goes over the byte at `at`, which is text.
  void take(std::string_view text, std::size_t at);

  /// Goes over a rescued call, or a wrapper: nothing in it counts.
  void take_call();

  void open_fence(const FenceLine& line);
  void close_fence();
  void open_quote() { in_quote_ = true; }

  bool in_fence() const { return fence_.has_value(); }

  /// No call may begin there, whatever comes.
  bool is_text() const { return in_fence() || in_quote_ || in_element() || odd_; }

  bool line_begins() const { return line_begins_; }

  /// Whether the line closes the fence around.
  bool closes_fence(const FenceLine& line) const;

  /// Whether JSON counts there.
  bool json_counts(std::string_view text) const { return !left_open_ && !explains_json(text); }

  /// Whether a tag is explained there.
  bool explains_tag(std::string_view text) const;

 private:
  struct Fence {
    char mark = '`';
    std::size_t marks = 0;
  };

  bool in_element() const { return !element_ends_.empty(); }
  bool explains_json(std::string_view text) const;
  void take_tags(std::string_view text, std::size_t at);
  void take_code(char c);
  void take_last(std::string_view text, std::size_t at);

  std::optional<Fence> fence_;                      ///< around
  std::span<const std::string_view> element_ends_;  ///< of the result, or explained markup, around
  bool in_quote_ = false;
  bool line_begins_ = true;
  bool odd_ = false;                     ///< an odd number of runs of backticks stands before, in this line
  bool in_run_ = false;                  ///< the last byte was one of such a run
  bool left_open_ = false;               ///< the last tag that begins or ends a call begins one
  std::size_t behind_last_ = 0;          ///< the last byte that is neither white space nor emphasis; 0: none
  std::size_t behind_last_of_line_ = 0;  ///< the last one that is neither blank nor emphasis
  bool tag_explained_ = false;           ///< the last `<`
};

}  // namespace splitproof::observe
