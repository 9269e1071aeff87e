#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::text {

/// Texts that are looked for, as a tree of their beginnings, each with what a search falls back to where it fails (Aho,
/// Corasick).
class WantedTexts {
 public:
  /// None.
  WantedTexts() = default;

  /// Empty texts are looked for by nobody.
  explicit WantedTexts(std::vector<std::string> texts);

  /// A text begins with this byte.
  bool begin_with(char c) const { return first_[static_cast<unsigned char>(c)]; }

  /// Where the first byte stands with which a text may begin, as far as the byte behind it tells; the size of `piece` where
  /// none does.
  std::size_t find_begin(std::string_view piece) const;

  bool operator==(const WantedTexts&) const = default;

 private:
  friend class TextSearch;

  // The beginning of a text. The first node is the empty one, which is nobody's child.
  struct Node {
    std::uint32_t children =
        0;  // the first of those that are longer by a byte, which stand in the order of that byte
    std::uint32_t shorter = 0;  // the longest other beginning that this one ends with
    std::uint32_t size = 0;
    std::uint32_t ended = 0;  // the length of the longest text that this one ends with; 0: there is none
    std::uint16_t count = 0;  // of children
    char last = '\0';         // its last byte
    bool operator==(const Node&) const = default;
  };

  void add_children(const std::vector<std::string>& texts, std::uint32_t node, std::size_t from,
                    std::size_t to, std::vector<std::array<std::size_t, 2>>& ranges);
  std::uint32_t child(std::uint32_t node, char c) const;
  std::uint32_t next(std::uint32_t node, char c) const;

  std::vector<Node> nodes_;  // shorter ones first
  std::array<bool, 256> first_{};
};

/// Finds which of some texts ends first, in a text that comes byte by byte. Each byte is looked at once, on average, however
/// many texts there are.
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
  std::uint32_t node_ = 0;  // what came ends with this beginning, and with none that is longer
  std::size_t pending_ = 0;
};

}  // namespace splitproof::text
