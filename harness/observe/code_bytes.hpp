#pragma once

#include <cstddef>

namespace splitproof::observe {

/// Tells what of a text is code, as docs/leaked-markup.md has it: a fenced block with both of its lines, and of other lines
/// what stands behind an odd number of runs of backticks. It is asked of a byte before that byte is taken.
class CodeBytes {
 public:
  void take(char c);

  /// Whether the next byte is in code.
  bool in_code() const { return fence_ > 0 || odd_; }

  /// Whether the next byte is the first of its line, or only spaces and tabs stand before it.
  bool line_is_blank() const { return blank_; }
  bool line_begins() const { return size_ == 0; }

 private:
  void end_line();

  std::size_t fence_ = 0;    ///< backticks or tildes of the fence around; 0: none
  char fence_mark_ = '\0';   ///< which of these
  bool opening_ = false;     ///< the line is that which opened it
  std::size_t size_ = 0;     ///< of the line so far
  std::size_t spaces_ = 0;   ///< with which it begins
  std::size_t marks_ = 0;    ///< backticks or tildes that stand right behind them
  char mark_ = '\0';         ///< which of these
  bool run_over_ = false;    ///< something else came behind these
  bool only_blanks_ = true;  ///< behind them
  bool blank_ = true;
  bool odd_ = false;
  bool in_run_ = false;  ///< the last byte was a backtick
};

}  // namespace splitproof::observe
