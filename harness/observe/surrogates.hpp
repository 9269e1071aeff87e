#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace splitproof::observe {

/// Joins pieces of WTF-8, as WireJson has them, to text. A provider that cuts UTF-16 sends the high surrogate
/// of a pair at the end of a piece and the low one in the next. A lone surrogate becomes U+FFFD.
///
/// Guarantee: the text so far is valid UTF-8 after each piece, and is never taken back.
class SurrogateJoiner {
 public:
  /// Returns the text that `piece` adds. A high surrogate at its end waits for the next piece that is not
  /// empty.
  std::string join(std::string_view piece);

  /// Returns U+FFFD if a high surrogate waited, otherwise "". Call it when no piece follows.
  std::string close();

  bool waiting() const { return !high_.empty(); }

  /// True if `text`, without lone surrogates, can repeat and continue what waits. Then it is empty, or begins
  /// with U+FFFD or with the character whose half waits. Also true if nothing waits.
  bool goes_on_in(std::string_view text) const;
  bool joined() const { return joined_; }  ///< Two pieces held the surrogates of one character.
  bool broken() const { return broken_; }  ///< A lone surrogate was read as U+FFFD.

  bool operator==(const SurrogateJoiner&) const = default;

 private:
  std::string high_;  ///< The waiting high surrogate in WTF-8.
  bool joined_ = false;
  bool broken_ = false;
};

/// Returns `text` with U+FFFD for each surrogate.
std::string replace_surrogates(std::string_view text);

/// Returns joined pieces of WTF-8 with one character for each adjacent pair of surrogates. Lone surrogates
/// stay.
std::string join_surrogates(std::string text);

/// Returns the code unit of the first surrogate in `text`, or nullopt.
std::optional<std::uint16_t> first_surrogate(std::string_view text);

}  // namespace splitproof::observe
