#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace splitproof::text {

/// Follows what of a text is code: fenced blocks, and what stands in a line behind an odd number of runs of backticks. It
/// tells which lines are quotes, too; these are no code.
class CodeSpans {
 public:
  /// Takes the next byte of the text.
  void take(char c);

  /// Takes what of a piece, from its byte `from` on, begins neither a tag nor code nor a line in which these may stand
  /// first: all before a `<`, a backtick, or an LF that no letter follows. Returns where that is, or the piece's size.
  std::size_t pass(std::string_view piece, std::size_t from);

  /// Takes an LF, which comes next, and the letter behind it; takes nothing where there is none.
  bool pass_line_end(std::string_view piece, std::size_t from);

  /// Bytes were passed that are neither a backtick nor an LF.
  void leave_run() { in_run_ = false; }

  /// A call was taken out of the line.
  void skip_call() {
    place_ = Place::inside;
    in_run_ = false;
  }

  /// The next byte is not in code.
  bool outside() const { return fence_ == 0 && !odd_; }

  /// The line is a quote.
  bool quoted() const { return quoted_; }

  /// So far the line has spaces and tabs alone. `indent` of them.
  bool blank() const { return place_ == Place::blank && fence_ == 0; }
  std::size_t indent() const { return indent_; }

  /// A fenced block may begin at the next byte.
  bool may_fence() const { return blank() && near(); }

  /// No byte but a backtick or LF changes what is code.
  bool plain() const { return place_ == Place::inside; }

  bool operator==(const CodeSpans&) const = default;

 private:
  static constexpr std::size_t kIndent = 3;
  static constexpr std::size_t kMarks = 3;

  // Of a line: spaces and tabs, marks of a fence behind them, white space behind these, anything else.
  enum class Place : std::uint8_t { blank, marks, behind_marks, inside };

  bool near() const { return !tab_ && indent_ <= kIndent; }
  void begin_line(char c);
  void end_line();

  Place place_ = Place::blank;
  std::size_t indent_ = 0;
  bool tab_ = false;        // among the indent
  char mark_ = '\0';        // behind the indent: a backtick or `~`
  std::size_t marks_ = 0;   // how many of them
  bool opens_ = false;      // this line opens the block
  std::size_t fence_ = 0;   // marks of the block; 0: there is none
  char fence_mark_ = '\0';  // which
  bool quoted_ = false;
  bool in_run_ = false;  // the last byte was a backtick
  bool odd_ = false;     // runs of backticks in the line, outside of a block
};

}  // namespace splitproof::text
