#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proxy/text/code_spans.hpp"
#include "proxy/text/explanation.hpp"
#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {

/// Follows where in a text a call counts, byte by byte: not in code, in a quote, in the result of a call or where it is
/// explained, and JSON not in markup that was left open. docs/leaked-markup.md is what it keeps to. It takes all of the
/// text but calls and what goes with them.
class CallPlaces {
 public:
  /// Takes the next byte of the text.
  void take(char c);

  /// Takes what of a piece, from its byte `from` on, begins no call for certain; less than that where it is quicker to take
  /// single bytes. Returns where that ends.
  std::size_t pass(std::string_view piece, std::size_t from);

  /// A call was taken out of the line.
  void skip_call();

  /// A tag counts that begins at the next byte.
  bool tag_counts() const;

  /// JSON that begins its line counts at the next byte; so does a fenced block.
  bool json_counts() const { return code_.blank() && code_.indent() <= kMostBytes && line_counts(); }
  bool fence_counts() const { return code_.may_fence() && line_counts(); }

  /// Spaces and tabs that the line has begun with.
  std::size_t indent() const { return code_.indent(); }

  bool operator==(const CallPlaces&) const = default;

 private:
  // Shown is what stands in a result, or in markup that is explained.
  enum class Within : std::uint8_t { text, result_name, shown };

  bool line_counts() const { return !left_open_ && !explanation_.line(); }
  void take_shown(char c);
  void take_tag(char c);
  void end_tag();

  CodeSpans code_;
  Explanation explanation_;
  TagMatch tag_;  // one that opens or closes markup or, in what is shown, ends it
  bool tag_explained_ = false;
  bool left_open_ = false;  // the last such tag opens
  Within within_ = Within::text;
  std::size_t shown_by_ = 0;  // the number of the tag
};

}  // namespace splitproof::text
