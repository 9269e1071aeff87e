#pragma once

#include <cstddef>

namespace splitproof::observe {

/// Detects the code in a text (contracts/specifications/leaked-markup.md). Code is a fenced block with both of its
/// fence lines, and in other lines the text after an odd number of backtick runs. Ask about a byte before you take it.
class CodeBytes {
 public:
  void take(char c);

  /// True if the next byte is in code.
  bool in_code() const { return fence_ > 0 || odd_; }

  /// True if only spaces and tabs precede the next byte in its line.
  bool line_is_blank() const { return blank_; }
  bool line_begins() const { return size_ == 0; }

 private:
  void end_line();

  std::size_t fence_ = 0;    ///< Number of backticks or tildes of the surrounding fence; 0: none.
  char fence_mark_ = '\0';   ///< Backtick or tilde.
  bool opening_ = false;     ///< The line opens the fence.
  std::size_t size_ = 0;     ///< Size of the line so far.
  std::size_t spaces_ = 0;   ///< Number of its leading spaces.
  std::size_t marks_ = 0;    ///< Number of backticks or tildes directly after the spaces.
  char mark_ = '\0';         ///< Backtick or tilde.
  bool run_over_ = false;    ///< Another character followed these.
  bool only_blanks_ = true;  ///< Only blanks followed these.
  bool blank_ = true;
  bool odd_ = false;
  bool in_run_ = false;  ///< The last byte was a backtick.
};

}  // namespace splitproof::observe
