#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::text {

/// Texts that are looked for, each with what a search falls back to where it fails (Knuth, Morris, Pratt).
class WantedTexts {
 public:
  WantedTexts() = default;

  /// Empty texts are looked for by nobody.
  explicit WantedTexts(const std::vector<std::string>& texts);

  /// A text begins with this byte.
  bool begin_with(char c) const { return first_[static_cast<unsigned char>(c)]; }

  /// Where the first byte stands with which a text may begin, as far as the byte behind it tells; the size of `piece` where
  /// none does.
  std::size_t find_begin(std::string_view piece) const;

  bool operator==(const WantedTexts&) const = default;

 private:
  friend class TextSearch;

  struct Wanted {
    std::string text;
    std::vector<std::size_t> borders;  // of each beginning: how much of its end begins the text again
    bool operator==(const Wanted&) const = default;
  };

  std::vector<Wanted> wanted_;
  std::array<bool, 256> first_{};
};

/// Finds which of some texts ends first, in a text that comes byte by byte. Each byte is looked at once for each of them,
/// on average.
class TextSearch {
 public:
  /// Takes the next byte. Returns the length of the longest text that ends with it; 0: none does.
  std::size_t take(const WantedTexts& texts, char c);

  /// How many bytes at the end may yet begin a text that is wanted.
  std::size_t pending() const { return pending_; }

  /// Looks on with no memory of what was before.
  void restart() { *this = {}; }

  bool operator==(const TextSearch&) const = default;

 private:
  std::vector<std::size_t>
      matched_;  // of each text, as far as its beginning ends what came; empty: nothing is
  std::size_t pending_ = 0;
};

}  // namespace splitproof::text
