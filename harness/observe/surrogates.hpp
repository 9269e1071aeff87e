#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace splitproof::observe {

/// Makes text of pieces of WTF-8, as WireJson gives them: a provider that cuts UTF-16 in two sends the high
/// surrogate of a pair at the end of a piece and the low one at the beginning of the next. A lone surrogate becomes
/// U+FFFD.
///
/// Promises: the text said so far is valid UTF-8 after each piece, and never taken back.
class SurrogateJoiner {
 public:
  /// What `piece` adds. A high surrogate at its end waits for the next piece that is not empty.
  std::string join(std::string_view piece);

  /// What is missing once no other piece comes: U+FFFD where a high surrogate waited, else nothing.
  std::string close();

  bool waiting() const { return !high_.empty(); }

  /// Whether `text`, without lone surrogates, may say again what waits and go on: it begins with the character of which a
  /// half waits, or with U+FFFD, or is empty. True where nothing waits.
  bool goes_on_in(std::string_view text) const;
  bool joined() const { return joined_; }  ///< two pieces held the surrogates of one character
  bool broken() const { return broken_; }  ///< a lone surrogate was read as U+FFFD

  bool operator==(const SurrogateJoiner&) const = default;

 private:
  std::string high_;  ///< the high surrogate that waits, as WTF-8
  bool joined_ = false;
  bool broken_ = false;
};

/// `text` with U+FFFD for each surrogate.
std::string replace_surrogates(std::string_view text);

/// `text`, pieces of WTF-8 put together, with one character for each pair of surrogates that came to stand side by side.
/// A lone one stays.
std::string join_surrogates(std::string text);

/// The code unit of the first surrogate in `text`; none without one.
std::optional<std::uint16_t> first_surrogate(std::string_view text);

}  // namespace splitproof::observe
