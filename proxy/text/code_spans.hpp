#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace splitproof::text {

/// Follows the code in a text: fenced blocks, and text in a line after an odd number of backtick runs. Detects quoted
/// lines too; these are not code.
class CodeSpans {
 public:
  /// Takes the next byte of the text.
  void take(char c);

  /// Takes plain bytes of a piece from `from` on: up to a `<`, a backtick, or an LF without a letter after it. Returns
  /// their end, or the piece's size.
  std::size_t pass(std::string_view piece, std::size_t from);

  /// Takes an LF at `from` and the letter after it. Takes nothing without a letter.
  bool pass_line_end(std::string_view piece, std::size_t from);

  /// The passed bytes are neither a backtick nor an LF.
  void leave_run() { in_run_ = false; }

  /// A call was taken out of the line.
  void skip_call() {
    place_ = Place::inside;
    in_run_ = false;
  }

  /// True if the next byte is not in code.
  bool outside() const { return fence_ == 0 && !odd_; }

  /// True if the line is a quote.
  bool quoted() const { return quoted_; }

  /// True if the line has only spaces and tabs so far. `indent` counts them.
  bool blank() const { return place_ == Place::blank && fence_ == 0; }
  std::size_t indent() const { return indent_; }

  /// True if a fenced block may begin at the next byte.
  bool may_fence() const { return blank() && near(); }

  /// True if only a backtick or LF can change the state.
  bool plain() const { return place_ == Place::inside; }

  bool operator==(const CodeSpans&) const = default;

 private:
  static constexpr std::size_t kIndent = 3;
  static constexpr std::size_t kMarks = 3;

  // Position in a line: spaces and tabs, fence marks, white space after them, anything else.
  enum class Place : std::uint8_t { blank, marks, behind_marks, inside };

  bool near() const { return !tab_ && indent_ <= kIndent; }
  void begin_line(char c);
  void end_line();

  Place place_ = Place::blank;
  std::size_t indent_ = 0;
  bool tab_ = false;        // in the indent
  char mark_ = '\0';        // after the indent: a backtick or `~`
  std::size_t marks_ = 0;   // number of them
  bool opens_ = false;      // this line opens the block
  std::size_t fence_ = 0;   // marks of the block; 0: none
  char fence_mark_ = '\0';  // its character
  bool quoted_ = false;
  bool in_run_ = false;  // the last byte was a backtick
  bool odd_ = false;     // the line has an odd number of backtick runs, outside of blocks
};

}  // namespace splitproof::text
