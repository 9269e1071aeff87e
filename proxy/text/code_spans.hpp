#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace splitproof::text {

/// Where a tag, code or the next line may begin, from `at` on: at a `<`, a backtick or LF; the size of `text` where none does.
inline std::size_t find_tag_or_code(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '<' && text[at] != '`' && text[at] != '\n') ++at;
  return at;
}

/// Follows what of a text is code: fenced blocks, and what stands in a line behind an odd number of backticks.
class CodeSpans {
 public:
  /// Takes the next byte of the text, at `at`.
  void take(char c, std::size_t at);

  /// A call was taken out of the line.
  void skip_call() { place_ = Place::inside; }

  /// The next byte may begin a call.
  bool outside() const { return fence_ == 0 && !odd_; }

  /// So far the line has spaces and tabs alone. `indent` of them.
  bool blank() const { return place_ == Place::blank && fence_ == 0; }
  std::size_t indent() const { return indent_; }

  /// A fenced block may begin at the next byte.
  bool may_fence() const { return blank() && !tab_ && indent_ <= kIndent; }

  /// Where the line began.
  std::size_t line() const { return line_; }

  /// No byte but a backtick or LF changes what is code.
  bool plain() const { return place_ == Place::inside; }

  bool operator==(const CodeSpans&) const = default;

 private:
  static constexpr std::size_t kIndent = 3;
  static constexpr std::size_t kTicks = 3;

  // Of a line: spaces and tabs, backticks behind them, white space behind these, anything else.
  enum class Place : std::uint8_t { blank, ticks, behind_ticks, inside };

  void end_line(std::size_t at);

  Place place_ = Place::blank;
  std::size_t line_ = 0;
  std::size_t indent_ = 0;
  bool tab_ = false;       // among the indent
  std::size_t ticks_ = 0;  // behind the indent
  bool opens_ = false;     // this line opens the block
  std::size_t fence_ = 0;  // backticks of the block; 0: there is none
  bool odd_ = false;       // backticks in the line, outside of a block
};

}  // namespace splitproof::text
