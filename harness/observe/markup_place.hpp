#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "harness/observe/markup_fence.hpp"
#include "harness/observe/markup_tags.hpp"

namespace splitproof::observe {

/// Context of the next byte in a text. In some contexts calls do not count (contracts/specifications/leaked-markup.md):
/// in code, in a quote, in a result, in explained markup, after unclosed markup, or after an explanation.
class MarkupPlace {
 public:
  /// Takes the byte at `at`, which is text.
  void take(std::string_view text, std::size_t at);

  /// Takes a rescued call or a wrapper. Its inner bytes do not count.
  void take_call();

  void open_fence(const FenceLine& line);
  void close_fence();
  void open_quote() { in_quote_ = true; }

  bool in_fence() const { return fence_.has_value(); }

  /// True if no call can begin here.
  bool is_text() const { return in_fence() || in_quote_ || in_element() || odd_; }

  bool line_begins() const { return line_begins_; }

  /// True if the line closes the current fence.
  bool closes_fence(const FenceLine& line) const;

  /// True if JSON counts here.
  bool json_counts(std::string_view text) const { return !left_open_ && !explains_json(text); }

  /// True if a tag is explained here.
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

  std::optional<Fence> fence_;                      ///< Current fence.
  std::span<const std::string_view> element_ends_;  ///< End tags of the current result or explained markup.
  bool in_quote_ = false;
  bool line_begins_ = true;
  bool odd_ = false;                     ///< An odd number of backtick runs precedes in this line.
  bool in_run_ = false;                  ///< The last byte is part of such a run.
  bool left_open_ = false;               ///< The last tag of a call is an opening tag.
  std::size_t behind_last_ = 0;          ///< The last byte that is neither white space nor emphasis; 0: none.
  std::size_t behind_last_of_line_ = 0;  ///< The last byte that is neither blank nor emphasis.
  bool tag_explained_ = false;           ///< The last `<` is explained.
};

}  // namespace splitproof::observe
