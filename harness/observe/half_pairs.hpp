#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace splitproof::observe {

/// Makes text of pieces of WTF-8, as WireJson gives them: a provider that cuts UTF-16 in two sends one half of
/// a surrogate pair at the end of a piece and the other at the beginning of the next. A half whose other half
/// does not come is U+FFFD.
///
/// Promises: the text said so far is valid UTF-8 after each piece, and never taken back.
class HalfPairs {
 public:
  /// What `piece` adds. A high half at its end waits for the next piece that is not empty.
  std::string join(std::string_view piece);

  /// What is missing once no other piece comes: U+FFFD where a half waited, else nothing.
  std::string close();

  bool waiting() const { return !half_.empty(); }
  bool joined() const { return joined_; }  ///< two pieces held the halves of one character
  bool broken() const { return broken_; }  ///< a half was read as U+FFFD

  bool operator==(const HalfPairs&) const = default;

 private:
  std::string half_;  ///< the high half that waits, as WTF-8
  bool joined_ = false;
  bool broken_ = false;
};

/// `text` with U+FFFD for each half.
std::string without_halves(std::string_view text);

/// `text`, pieces of WTF-8 put together, with one character for each two halves that came to stand side by side. A half
/// that stands alone stays.
std::string join_pairs(std::string text);

/// The code unit of the first half in `text`; none without a half.
std::optional<std::uint16_t> first_half(std::string_view text);

}  // namespace splitproof::observe
