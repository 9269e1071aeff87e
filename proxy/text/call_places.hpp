#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proxy/text/code_spans.hpp"
#include "proxy/text/explanation.hpp"
#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {

/// Follows the places in a text where a call counts, byte by byte. It does not count in code, in a quote, in the result
/// of a call or in an explanation. JSON does not count after unclosed markup. contracts/specifications/leaked-markup.md
/// has the rules. Takes all text except calls and their wrappers.
class CallPlaces {
 public:
  /// Takes the next byte of the text.
  void take(char c);

  /// Takes bytes of a piece after `from` that cannot begin a call, or fewer if single bytes are faster. Returns their
  /// end.
  std::size_t pass(std::string_view piece, std::size_t from);

  /// A call was taken out of the line.
  void skip_call();

  /// True if a tag at the next byte counts.
  bool tag_counts() const;

  /// True if JSON at the start of a line counts at the next byte. The same for a fenced block.
  bool json_counts() const { return code_.blank() && code_.indent() <= kMostBytes && line_counts(); }
  bool fence_counts() const { return code_.may_fence() && line_counts(); }

  /// Spaces and tabs at the start of the line.
  std::size_t indent() const { return code_.indent(); }

  bool operator==(const CallPlaces&) const = default;

 private:
  // Shown text is in a result, or in explained markup.
  enum class Within : std::uint8_t { text, result_name, shown };

  bool line_counts() const { return !left_open_ && !explanation_.line(); }
  void take_shown(char c);
  void take_tag(char c);
  void end_tag();

  CodeSpans code_;
  Explanation explanation_;
  TagMatch tag_;  // opens, closes, or ends shown text
  bool tag_explained_ = false;
  bool left_open_ = false;  // the last such tag opens
  Within within_ = Within::text;
  std::size_t shown_by_ = 0;  // index of the tag
};

}  // namespace splitproof::text
